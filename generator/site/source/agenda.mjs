// Lists of dates as they are today: what is under way, what is next by month, and what is over at the end, whenever the page was
// built.  A reader searches and filters them by the filters of lists.  The rows are those of the page and of the other pages of
// its list, which are read when they are needed; a list that is too long for that is asked from the API.
import './calendar.mjs'
import './box.mjs'
import './copy.mjs'
import { $, $$, ask, el, refill, t, told, url } from './common.mjs'
import { date, fill, months, passed, present, weekdays } from './calendar/clock.mjs'
import { chips } from './list/chosen.mjs'
import { drawer, fillDrawer } from './list/drawer.mjs'
import { Filters } from './list/filters.mjs'
import { complete, constraintText, labelOf } from './list/labels.mjs'
import { constraint, ignored, joined, words as pairsOf } from './list/state.mjs'
import { searched, withoutArticles } from './shared/words.mjs'

const PAUSE = 150 // ms without a key
const AT_ONCE = 4 // pages
const MOST = 500 // rows that are shown
const NEVER = '~' // sorts after every day
const FILTERS = told.filters.map(({ name }) => name)
const [place, input, said, none, chosen] = ['#agenda', '#q', '#found', '#no-dates', '#chosen'].map((selector) => $(selector))
const ownTitle = document.title
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []
const put = (element, text) => element && element.textContent !== text && (element.textContent = text)

// --- what is asked: { q, filters, others, page } as lists have it (list/state.mjs); `scope` is the list itself ---

const scope = [...Object.entries(told.feeds.of), ...(told.upcoming ? [['upcoming', 'true']] : [])]
const scoped = (asked) => ({ ...asked, others: scope })

function read() {
  const asked = new URLSearchParams(location.search)
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (asked.get(name) ? [[name, asked.get(name)]] : [])))
  return { q: asked.get('q') ?? '', filters, others: [], page: 1 }
}

const query = (asked) => joined(pairsOf(asked)).replace(/^(?=.)/, '?')
const isFiltered = () => query(state) !== ''
let state = read()

// --- rows ---

const first = $$('.dates > li', place ?? $('main'))
let rows = first
let shown = first // in their order
let total = 0 // of a list that is asked from the API: the number of dates that were found
let isWhole = told.pages === 1 // whether every row of the list is here

const isOver = (row, now) => passed(now, row.dataset.ends, true)
const isUnderWay = ({ dataset: { starts, ends } }, now) => (starts ? starts !== ends && passed(now, starts, false) : !ends)

const values = new Map()
function valuesOf(row) {
  if (!values.has(row)) values.set(row, Object.fromEntries(FILTERS.map((name) => [name, row.dataset[name]?.split(' ') ?? []])))
  return values.get(row)
}

const texts = new Map()
function hasWords(row, wanted) {
  if (!wanted.length) return true
  if (!texts.has(row)) texts.set(row, wordsOf($('.what', row).textContent))
  return wanted.every((word) => texts.get(row).some((one) => one.startsWith(word)))
}

const holds = {
  '': (asked, has) => asked.some((value) => has.includes(value)),
  all: (asked, has) => asked.every((value) => has.includes(value)),
  not: (asked, has) => !asked.some((value) => has.includes(value)),
}

// The filters of a state as [name, how, values], and what each row fails of them; null if it has not the words.
function failing({ q, filters }) {
  const wanted = wordsOf(withoutArticles(searched(q).q))
  const asked = Object.entries(filters).map(([name, text]) => [name, constraint(text)])
  return (row) => (hasWords(row, wanted) ? asked.filter(([name, { how, values }]) => !(holds[how] ?? holds[''])(values, valuesOf(row)[name])) : null)
}

// --- how many dates each value would leave: of a filter whose values are alternatives, without that filter ---

function counts(asked) {
  const fails = failing(asked)
  const found = Object.fromEntries(FILTERS.map((name) => [name, new Map()]))
  for (const row of rows) {
    const failed = fails(row)
    if (!failed || failed.length > 1 || failed[0]?.[1].how) continue
    const has = valuesOf(row)
    for (const name of failed.length ? [failed[0][0]] : FILTERS) for (const value of has[name]) found[name].set(value, (found[name].get(value) ?? 0) + 1)
  }
  const sorted = (name) => [...found[name]].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (labelOf(name, a.value) < labelOf(name, b.value) ? -1 : 1))
  return Object.fromEntries(FILTERS.map((name) => [name, { values: sorted(name), total_values: found[name].size, truncated: false }]))
}

const inPage = {
  base: async () => counts(read()),
  counts: async (asked) => {
    await wholeList()
    return counts(asked)
  },
  like: async (asked, name, text) => {
    const wanted = wordsOf(text)
    const isLike = ({ value }) => wanted.every((word) => wordsOf(labelOf(name, value)).some((one) => one.startsWith(word)))
    return counts(asked)[name].values.filter(isLike)
  },
}

// With the words as they are typed: what was drawn may not know them yet.
const change = (next) => go({ ...next, q: input.value })
const filters = told.filters.length ? new Filters($('#groups'), change, () => {}, told.asked ? undefined : inPage) : null

// --- the list ---

// The day at the left: where no heading has its month, with the month in place of the weekday.
function tag(row, day, hasMonth) {
  const isEndless = day === NEVER
  $('.tag', row).replaceChildren(el('b', {}, isEndless ? '∞' : ''), ...(isEndless ? [] : [' ', el('span')]))
  if (isEndless) return
  const [, month, number] = day.split('-')
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  $('.tag b', row).textContent = String(+number)
  $('.tag span', row).textContent = hasMonth ? weekdays[weekday] : months[month].slice(0, 3)
}

const dayOf = (row, edge) => row.dataset[edge] || NEVER
const order = (edge) => (a, b) => (dayOf(a, edge) < dayOf(b, edge) ? -1 : dayOf(a, edge) > dayOf(b, edge) ? 1 : 0)

function group(id, title, note, list) {
  return el(
    'section.part', { 'aria-labelledby': id },
    el('div.label', {}, el('h2', { id }, title), note && el('p.note-line', {}, note)),
    el('div.body', {}, el('ul.dates', {}, list)),
  )
}

const section = (id, title, note, list) => (list.length ? [[`m-${id}`, title, note, list]] : [])

function byMonth(list) {
  const found = new Map()
  for (const row of list) {
    const month = dayOf(row, 'first').slice(0, 7)
    found.set(month, [...(found.get(month) ?? []), row])
  }
  return [...found].map(([month, of]) => [`m-${month}`, fill(told.month, { month: months[month.slice(5)], year: month.slice(0, 4) }), '', of])
}

// The part of the list that a row belongs to now, and that it is in.
const partNow = (row, now) => (told.chronological ? 'later' : isOver(row, now) ? 'over' : isUnderWay(row, now) ? 'now' : 'later')
const partOf = (row) => $('h2', row.closest('.part')).id.slice(2)
let arranged = place ? first.map((row) => ({ now: 'now', over: 'over' })[partOf(row)] ?? 'later').join() : ''

// Makes the parts of the list again, if rows belong to others than those that they are in.
function arrange() {
  if (!place) return
  const now = present()
  const belongs = rows.map((row) => partNow(row, now))
  if (belongs.join() === arranged) return
  arranged = belongs.join()
  const [underWay, later, over] = ['now', 'later', 'over'].map((part) => rows.filter((_, i) => belongs[i] === part))
  underWay.sort(order('last'))
  later.sort(order('first'))
  over.sort(order('last')).reverse()
  shown = [...underWay, ...later, ...over]
  const parts = [...section('now', t('under_way'), t('under_way_says'), underWay), ...byMonth(later), ...section('over', t('over'), '', over)]
  const active = document.activeElement
  place.replaceChildren(...parts.map((part) => group(...part)))
  for (const row of [...underWay, ...over]) tag(row, dayOf(row, 'last'), false)
  for (const row of later) tag(row, dayOf(row, 'first'), true)
  if (place.contains(active)) active.focus({ preventScroll: true })
}

let isAll = true // whether no row is hidden

// Shows the rows that have what is asked, of more than a page may have the first, and says and returns how many there are.
function narrow() {
  const filtered = isFiltered()
  const fails = told.asked ? () => [] : failing(state)
  const found = filtered ? shown.filter((row) => fails(row)?.length === 0) : shown
  if (!(isAll && found.length === shown.length && found.length <= MOST)) {
    const visible = new Set(found.slice(0, MOST))
    for (const row of shown) row.hidden = !visible.has(row)
    for (const part of $$('.part', place ?? document.createElement('p'))) part.hidden = !$('.dates > li:not([hidden])', part)
    for (const bar of $$('.bar')) bar.hidden = document.getElementById(bar.dataset.row).hidden
    isAll = visible.size === shown.length
  }
  if (none) none.hidden = found.length > 0
  return tell(filtered, found)
}

const lead = $('.head .lead')
const leads = lead?.textContent

// How many dates there are, as of now; before all pages are here, those that are over are only known on this one.
function tell(filtered, found) {
  const now = present()
  const over = found.filter((row) => isOver(row, now)).length
  const [count, ahead] = [found.length, found.length - over]
  const all = filtered || isWhole ? count : told.total
  if (told.asked) put(lead, filtered ? t('amount', { count: total }) : leads)
  else put(lead, told.upcoming ? t('lead', { count: all - over }) : t('amount', { count: all }))
  const cut = count > MOST ? t('cut', { count: MOST }) : told.asked && filtered && total > count ? t('cut', { count }) : ''
  const amount = told.asked ? t('amount', { count: total }) : t('found', { count, ahead })
  const { q, fault } = searched(state.q)
  const sums = [filtered ? amount : '', cut].filter(Boolean).join('. ')
  put(said, [fault && t(fault, { words: q }), sums, ignored()].filter(Boolean).join(' '))
  for (const pager of $$('.pager')) pager.hidden = told.asked ? filtered : isWhole && (filtered || !cut)
  return told.asked && filtered ? total : all
}

// --- the feed of what is shown ---

const links = $$('[data-feed]')
const alarm = $('#alarm')
const more = el('p.soft.small', { role: 'status' })
$('.subscribe .row')?.after(more)

// The path of the feed of the list with the chosen filters and alarm; undefined if no host answers it.  It keeps dates that
// are over, so that they stay in the calendar of a subscriber.
function feedOf(filters) {
  const { of, every, value, prepared, selection } = told.feeds
  const pairs = Object.entries({ ...of, ...filters })
  const time = alarm?.value
  if (!time && !pairs.length) return every
  const [[name, only] = []] = pairs
  if (!time && pairs.length === 1 && prepared.includes(name) && !/[,:]/.test(only)) return value.replace(':name', name).replace(':value', only)
  if (!selection) return undefined
  const all = [...(pairs.length ? pairs : [['upcoming', 'true']]), ...(time ? [['alarm', time]] : [])]
  return `${selection}?${all.map((pair) => pair.join('=')).join('&')}`
}

// The links to the feed of what is shown; if there is none, to that of the whole list, which says so.
function subscribe() {
  if (!links.length) return
  const exact = feedOf(state.filters)
  put(more, state.q.trim() || !exact ? t('feed_more') : '')
  const path = exact ?? feedOf({})
  const file = (told.feeds.base || location.origin) + path
  const webcal = file.replace(/^https?/, 'webcal')
  const google = `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(file)}`
  const hrefs = { file, webcal, google, outlook }
  for (const link of links) link.href = hrefs[link.dataset.feed]
  put($('.subscribe code'), file)
  const hasOwn = exact && !state.q.trim() && Object.keys(state.filters).length
  put($('.head [href="#subscribe"]'), t(hasOwn ? 'subscribe_these' : 'subscribe'))
}

if (alarm) {
  alarm.closest('p').hidden = false
  alarm.addEventListener('change', subscribe)
}

// --- the other pages of the list ---

let loading

function wholeList() {
  loading ??= readAll().catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function readAll() {
  if (isWhole) return
  const numbers = Array.from({ length: told.pages - 1 }, (_, i) => i + 2)
  const pages = []
  while (numbers.length) pages.push(...(await Promise.all(numbers.splice(0, AT_ONCE).map(readPage))))
  rows = [...rows, ...pages.flat()]
  isWhole = true
  arranged = isAll = ''
  arrange()
  narrow()
  document.dispatchEvent(new Event('dates'))
}

async function readPage(number) {
  const response = await fetch(`${told.base}page/${number}/`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return $$('.dates > li', page).map((row) => document.importNode(row, true))
}

// --- a list that is asked from the API ---

const spelled = (local) => fill(date, { day: Number(local.slice(8, 10)), month: months[local.slice(5, 7)], year: local.slice(0, 4) })

// A row of a summary.
function rowOf({ slug, name, kind, status, all_day, starts_at, ends_at, starts_local, ends_local, website }) {
  const [begins, ends] = [starts_local ?? ends_local, ends_local]
  const isWholeDays = kind === 'event' && all_day
  const at = [begins, ends].flatMap((local) => (local ? [spelled(local) + (local.length > 10 ? `, ${local.slice(11, 16)}` : '')] : []))
  const counted = { 'data-kind': kind, 'data-starts': isWholeDays ? starts_local : starts_at, 'data-ends': isWholeDays ? ends_local : ends_at }
  const href = told.asked.records ? url(`${told.root}/${slug}/`) : website
  return el(
    status === 'cancelled' ? 'li.off' : 'li',
    { ...counted, 'data-first': (begins ?? '').slice(0, 10), 'data-last': (ends ?? '').slice(0, 10) },
    el('div.tag', { 'aria-hidden': 'true' }),
    el(
      'div.what', {},
      el('a.name', { href, dir: 'auto' }, name),
      el('p.facts-line', {}, el(`span.kind.${kind}`, {}, told.asked.kinds[kind] ?? kind), ' ', el('span.at', {}, [...new Set(at)].join(' – '))),
    ),
    el('div.aside', {}, status !== 'cancelled' && el('span.countdown', { hidden: true, 'data-countdown': true })),
  )
}

// The rows that have what was asked; those of the page where nothing was.
async function answered(asked) {
  const answer = query(asked) && (await ask(`${told.api}?mode=page&${joined(pairsOf(scoped(asked)))}`))
  return () => {
    total = answer ? answer.page.total_items : 0
    rows = shown = answer ? answer.data.map(rowOf) : first
    arranged = isAll = ''
  }
}

// --- what is done ---

let turn = 0

async function show() {
  const current = ++turn
  if (input && input !== document.activeElement) input.value = state.q
  follow()
  if (isFiltered() && !isWhole) put(said, t('loading'))
  try {
    const draw = told.asked ? await answered(state) : isFiltered() && (await wholeList())
    if (current !== turn) return
    if (draw) draw()
  } catch {
    if (current === turn) put(said, t('failed'))
    return
  }
  arrange()
  narrowing(narrow())
  subscribe()
  if (told.asked) document.dispatchEvent(new Event('dates'))
}

// The filters, and what is chosen of them, which leaves so many dates.
function narrowing(count) {
  if (!filters) return
  fillDrawer(state, count)
  const draw = () => {
    refill(chosen, chips(state, (next) => change(next).then(() => ($('button', chosen) ?? input).focus())))
    const words = Object.entries(state.filters).map(([name, text]) => constraintText(name, constraint(text).how, constraint(text).values))
    document.title = [[state.q.trim(), ...words].filter(Boolean).join(', '), ownTitle].filter(Boolean).join(' – ')
  }
  filters.follow(told.asked && isFiltered() ? scoped(state) : state)
  if (filters.areSeen) filters.show().catch(() => {})
  draw()
  const named = Object.entries(state.filters).flatMap(([name, text]) => constraint(text).values.map((value) => [name, value]))
  complete(named).then(draw)
}

// Other views keep what is chosen; from the list of a value they keep the value, too, unless it is a month or a year.
const keptQuery = ({ dataset: { view } }) => query({ ...state, others: view && !told.chronological ? Object.entries(told.feeds.of) : [] })

const follow = () => {
  for (const link of $$('[data-kept], [data-view]')) link.search = keptQuery(link)
}

async function go(next, how = 'push') {
  state = { ...next, others: [] }
  history[`${how}State`](history.state, '', location.pathname + query(state))
  await show()
}

addEventListener('popstate', () => {
  if (query(read()) === query(state)) return
  state = read()
  if (input) input.value = state.q
  show()
})

let timer
let isTyping = false // the words of one search are one step back
function typed() {
  clearTimeout(timer)
  if (input.value.trim() === state.q.trim()) return
  go({ ...state, q: input.value }, isTyping ? 'replace' : 'push')
  isTyping = true
}

if (input) {
  input.value ||= state.q
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(typed, PAUSE)
  })
  input.addEventListener('change', () => {
    typed()
    isTyping = false
  })
  drawer(() => $('#results').scrollIntoView())
}

arrange()
if (isFiltered()) show()
else {
  narrowing(narrow())
  subscribe()
  // A list of several pages begins with the oldest of its dates, or has lost some since it was built.
  const now = present()
  const isPast = rows.some((row) => isOver(row, now))
  if (place && !told.asked && !told.chronological && (isPast || !told.upcoming)) wholeList().catch(() => {})
}

// --- today ---

const today = present().day
// The month or the year of today, else the next that has dates, else the last.
const nearest = (list, value) => list.find((one) => one >= value) ?? list.at(-1)
const current = nearest(told.months, today.slice(0, 7))
const years = [...new Set(told.months.map((month) => month.slice(0, 4)))]
const pages = { month: current && `month/${current}/`, year: current && `year/${nearest(years, today.slice(0, 4))}/` }
const to = (view) => url(`${told.root}/${pages[view]}`)

// From the agenda, the other views are those of today.
if (current && told.upcoming) for (const view of ['month', 'year']) $(`[data-view=${view}]`).pathname = to(view)

const link = $('#today')
if (link && current) {
  const view = $('.perspectives [aria-current]').dataset.view
  link.dataset.kept = ''
  link.pathname = to(view)
  // In the list of this year: what is next.
  link.addEventListener('click', (event) => {
    const next = place && link.pathname === location.pathname && shown.find((row) => !row.hidden && !isOver(row, present()))
    if (!next) return
    event.preventDefault()
    const heading = $('h2', next.closest('.part'))
    heading.tabIndex = -1
    heading.focus()
    next.scrollIntoView({ block: 'center' })
  })
}

follow()

// A page that stays open: rows that ended since go to the end.
setInterval(() => {
  if (document.hidden || told.asked) return
  arrange()
  narrow()
}, 60_000)
