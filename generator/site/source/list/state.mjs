// What a list shows, as its address has it: { q, filters, sort, page }, where `filters` has the text of each constraint.  `others`
// are pairs that the API is asked besides (agenda.mjs).
import { t, told, url } from '../common.mjs'
import { searched } from '../shared/words.mjs'

const FILTERS = told.filters.map(({ name }) => name)
const single = { q: '', sort: '', page: 1 }

// What newsletters, advertisements and social networks add to every address: no part of what is asked.
const TRACKER = /^(utm_\w+|\w*clid|msclkid|[gw]braid|mc_[ce]id|igshid|_hs\w+|_gl|srsltid)$/

// The list that the page itself has.
export const own = { ...single, filters: told.filter ? { [told.filter]: told.value } : {}, sort: told.sort, page: told.page }

const ownPath = location.pathname

export function read() {
  const asked = new URLSearchParams(location.search)
  // The page of a country may be asked for one of its places; other pages of a value have what they were made for.
  const isNarrowed = told.filter && asked.has(told.filter)
  if (location.pathname === ownPath && (!location.search || (ownPath !== url(told.root) && !isNarrowed))) return own
  const state = { ...single, filters: {} }
  for (const name in single) state[name] = asked.get(name) || single[name]
  for (const name of FILTERS) if (asked.get(name)) state.filters[name] = asked.get(name)
  if (/^[1-9]\d{0,8}$/.test(state.page)) state.page = Number(state.page)
  return state
}

// What the address has and a list does not know: that is ignored, and said.
export function ignored() {
  const known = new Set(['mode', ...Object.keys(single), ...FILTERS])
  const strays = [...new URLSearchParams(location.search)].filter(([name]) => !known.delete(name) && !TRACKER.test(name))
  return strays.length ? t('ignored', { names: strays.map((pair) => pair.filter(Boolean).join('=')).join(', ') }) : ''
}

const plain = (text) => encodeURIComponent(text).replace(/%(2C|3A)/g, decodeURIComponent).replace(/%20/g, '+')

// The parameters of a state; `words` are those of a list without its order and its page.
export const words = ({ q, filters, others = [] }) => [
  ...(searched(q).q ? [['q', searched(q).q]] : []),
  ...told.filters.flatMap(({ name }) => (name in filters ? [[name, filters[name]]] : [])),
  ...others,
]

export const joined = (pairs) => pairs.map(([name, value]) => `${name}=${plain(value)}`).join('&')

export function query(state) {
  const { sort, page } = state
  return joined([...words(state), ...(sort ? [['sort', sort]] : []), ...(page === 1 ? [] : [['page', page]])])
}

export const isOwn = (state) => query(state) === query(own)

// Where a state is to be seen again.
export function address(state) {
  if (isOwn(state)) return ownPath
  const asked = query(state)
  return url(told.root) + (asked && `?${asked}`)
}

export const target = (state) => `${told.api}?mode=page&${query(state)}`.replace(/&$/, '')

// --- constraints ---

// { how: '' | 'all' | 'not' | 'range', values } of a text.
export function constraint(text = '') {
  if (text.includes('..')) return { how: 'range', values: text.split('..') }
  const [, how = '', values] = /^(?:(all|not):)?(.*)$/.exec(text)
  return { how, values: values ? values.split(',') : [] }
}

// The state with another constraint of one filter; none where the text is empty.
export function having(state, name, text) {
  const { [name]: _, ...filters } = state.filters
  return { ...state, filters: text ? { ...filters, [name]: text } : filters, page: 1 }
}

// An end of a range as it can be asked for; "" if the text has none.
export function endOf(form, text) {
  if (form === 'year') return /\d{4}/.exec(text)?.[0] ?? ''
  if (form === 'number') return /-?\d+(\.\d+)?/.exec(text.replace(/\s/g, '').replace(',', '.'))?.[0] ?? ''
  return text
}

// Likewise with a value more, or without one.
export function toggled(state, name, value) {
  const { how, values } = constraint(state.filters[name])
  if (how === 'not' || how === 'range') return having(state, name, value)
  const others = values.filter((one) => one !== value)
  const joined = (others.length < values.length ? others : [...values, value]).join(',')
  return having(state, name, joined && how ? `${how}:${joined}` : joined)
}
