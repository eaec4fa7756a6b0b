// The query of a list as it was probably meant, from the parameters that were given.
import { address, quoted } from '../list.mjs'
import { decoded } from '../more/near.mjs'
import { resolve } from '../resolve.mjs'
import { Known, singular } from './known.mjs'
import { filtersOf, parameterOf, plainName } from './parameters.mjs'
import { conditionsOf, joined, textOf } from './values.mjs'

const MODES = { page: 'list search item all record', count: 'total stat facet aggregate group number', rows: 'csv columns table' }
const [NEWEST, OLDEST] = [/^(?:newest|latest|(?:most_)?recent|date_desc|new)$/, /^(?:oldest|earliest|first)$/]
const LARGEST = /^(?:largest|biggest|popular|top|most)$/
const LEVEL = /^(?:continent|country|region|city)$/
const OPERATOR = { '!': 'not', '<>': 'not', '>': 'above', '>=': 'low', '<': 'below', '<=': 'high' }
const NO = /^(?:false|no|0|off)$/i
const YES = /^(?:true|yes|1|on)?$/i

// The parameters of a query string, as [name, operator, raw value]; a > may be in place of the =.
function tokensOf(rawQuery) {
  return rawQuery.split('&').filter((token) => token).map((token) => {
    const at = token.indexOf('=')
    const [name, raw] = at < 0 ? [token, ''] : [token.slice(0, at), token.slice(at + 1)]
    const [, start, mark, rest] = /^(.*?)\s*(!|<>|[<>])(.*)$/s.exec(decoded(name)) ?? []
    if (!mark) return [decoded(name), '', raw]
    return rest ? [start, mark, encodeURIComponent(rest)] : [start, at < 0 || mark === '!' || mark === '<>' ? mark : `${mark}=`, raw]
  })
}

// What a query string of a list asks for; null if it is not known.
async function askedIn(rawQuery, known) {
  const asked = { filters: new Map(), q: [], by: [], fields: [], more: {} }
  for (const token of tokensOf(rawQuery)) if (!(await put(token, asked, known))) return null
  return asked
}

// Add the conditions of a filter; false if there are none.
function putConditions(filter, conditions, { filters }) {
  if (!conditions) return false
  const before = filters.get(filter)
  filters.set(filter, before ? joined(before, conditions) : conditions)
  return true
}

// Add what a parameter asks; false if it is not known what.
async function put([given, mark, raw], asked, known) {
  const name = plainName(given)
  const text = decoded(raw).trim()
  const pair = /^([\w.-]+)\s*(?:=|:|==)\s*(.+)$/s.exec(text)
  if (/^(?:filters?|where|facet|fq)$/.test(name) && pair) return put([pair[1], '', encodeURIComponent(pair[2])], asked, known)
  const meant = parameterOf(name, known)
  if (meant?.ignored) return true
  if (meant?.parameter) return putParameter(meant.parameter, text, raw, name, asked, known)
  if (meant) return putFilter(meant.filters, OPERATOR[mark] ?? meant.how, raw, name, asked, known)
  return putElsewhere(raw, name, text, asked, known)
}

// Add a condition of the first of some filters that has the value, else of one that is not named, else of the first with a
// near value.
async function putFilter(filters, how, raw, name, asked, known) {
  const { list } = known
  const [first] = filters
  const text = decoded(raw).trim()
  if (!first) return false
  if (list.fixed[first]) {
    if (!NO.test(text)) asked.more[first] = list.fixed[first].value
    return !NO.test(text)
  }
  if (!text) return true
  const sure = []
  if (first !== name) {
    for (const filter of filters) if ((await known.value(text, filter))?.isSame) sure.push(filter)
    if (!sure.length) for (const [filter] of await known.filtersWith(text)) sure.push(filter)
  }
  for (const filter of [...sure, ...filters]) {
    if (putConditions(filter, await conditionsOf(raw, how, filter, known), asked)) return true
  }
  return false
}

// Add a condition for a name that is not known: of the filter that has the value, or that has the name as a value.
async function putElsewhere(raw, name, text, asked, known) {
  const flag = YES.test(text) || NO.test(text)
  const [found] = await known.filtersWith(flag ? name.replace(/^(?:is|has)_/, '') : text)
  return Boolean(found) && putConditions(found[0], await conditionsOf(found[1], NO.test(text) ? 'not' : 'any', found[0], known), asked)
}

const numberIn = (text) => (/^[0-9]{1,9}$/.test(text) ? Number(text) : null)
const listed = (text) => text.split(/[,|;+\s]+/).map((part) => part.replace(/^["'([]+|["')\]]+$/g, '')).filter((part) => part)

async function putParameter(parameter, text, raw, name, asked, known) {
  const { more } = asked
  const number = numberIn(text)
  if (!text && parameter !== 'down') return true
  if (parameter === 'q') asked.q.push(text)
  else if (parameter === 'by' || parameter === 'fields') asked[parameter].push(...listed(text))
  else if (parameter === 'limit') {
    if (name === 'count' && number === null) more.mode = 'count'
    else if (number !== null || /^(?:-1|all|max|any|\*|inf)/i.test(text)) more.limit = number ?? Infinity
  } else if (parameter === 'start') more.start = number ?? 0
  else if (parameter === 'page') more.page = number || 1
  else if (parameter === 'down') more.down = !/^(?:asc|1|ascending|false|no|0)/i.test(text) || (/^1$/.test(text) && /desc|reverse/.test(name))
  else if (parameter === 'sort' && /^(?:asc|desc)/i.test(text)) more.down = /^desc/i.test(text)
  else if (parameter === 'slug' || parameter === 'site') more[parameter] = text
  else if (parameter === 'low' || parameter === 'high' || parameter === 'at') {
    const filter = ['day', 'month', 'year'].find((one) => known.forms[one]) ?? known.filters.find((one) => isTime(one, known))
    if (!filter) return false
    return putConditions(filter, await conditionsOf(raw, parameter === 'at' ? 'any' : parameter, filter, known), asked)
  } else if (parameter === 'mode') {
    more.mode = text.toLowerCase()
    if (more.mode === 'csv') more.format = 'csv'
  }
  else more[parameter] = text
  return true
}

// The filter that a name in `by` or `per` means.
function countedBy(text, asked, known) {
  const name = plainName(text)
  const meant = name in known.forms && known.forms[name] ? [name] : filtersOf(name, known)
  const filters = (meant.length ? meant : parameterOf(name, known)?.filters ?? []).filter((filter) => filter !== 'tag')
  if (!filters.length) return null
  if (LEVEL.test(name) && known.table.index.placed[known.list.name].includes(filters[0])) asked.more.level ??= name
  return filters[0]
}

function fieldOf(text, known) {
  const names = Object.keys(known.table.index.fields[known.list.name])
  const name = plainName(text)
  const other = { title: 'name', url: 'website', link: 'href', description: 'summary', id: 'slug' }[name]
  return [name, other, ...filtersOf(name, known), `field_${name}`].find((one) => names.includes(one)) ?? null
}

const isTime = (filter, { forms }) => ['date', 'month', 'year'].includes(forms[filter])

// The sort that a text means; "" if it is not known.
function sortOf(text, down, { list, table, forms }, isSearch) {
  const sorts = [...list.sorts, ...list.others, ...(isSearch ? ['relevance'] : [])]
  const plain = text.trim().toLowerCase()
  if (sorts.includes(plain) && down === undefined) return plain
  const [, sign, first, word = ''] = /^([-+!]?)(?:(?:desc|asc)\()?([a-z_.-]+?)\)?(?:[\s:,|._+-]+(asc|desc)\w*)?$/.exec(plain) ?? []
  const name = plainName(first ?? '')
  const isDown = down ?? (word ? word === 'desc' : sign === '-' || sign === '!' || plain.startsWith('desc('))
  const bare = sorts.map((sort) => sort.replace('-', ''))
  const dated = bare.find((one) => one === 'starts' || one === 'year') ?? bare.find((one) => isTime(one, { forms }))
  const named = filtersOf(name, { filters: bare.filter((one) => one in forms || one in table.index.labels[list.name]), list, table })
  const numbered = bare.find((one) => !['name', 'year', 'starts', dated].includes(one))
  const found = [name, ...named].find((one) => bare.includes(one)) ??
    { newest: dated, largest: numbered }[NEWEST.test(name) || OLDEST.test(name) || /date|deadline|start|end|created|due/.test(name) ? 'newest' : LARGEST.test(name) ? 'largest' : ''] ??
    (/^(?:alpha|a_z|title|slug)/.test(name) ? 'name' : undefined)
  if (!found || !bare.includes(found)) return ''
  const wanted = NEWEST.test(name) || LARGEST.test(name) ? true : OLDEST.test(name) ? false : isDown
  return [`${wanted ? '-' : ''}${found}`, found, `-${found}`].find((sort) => sorts.includes(sort))
}

// The raw query of what was asked, in the mode that it needs; null if no mode answers it.
function written(asked, known) {
  const { list, table } = known
  const { more, q } = asked
  const by = [...new Set(asked.by.flatMap((text) => (/^tags?$/.test(text) ? known.filters.filter((one) => one.startsWith('tag_')) : [countedBy(text, asked, known)])))].slice(0, table.asked.by)
  const fields = asked.fields.some((text) => /^(?:\*|all)$/.test(text)) ? [] : asked.fields.map((text) => fieldOf(text, known))
  if (by.includes(null) || fields.includes(null)) return null
  const named = fields.filter((name) => name !== 'slug')
  const mode = modeOf(asked, by, fields)
  const pairs = [['mode', mode]]
  if (q.length) pairs.push(['q', encodeURIComponent(q.join(' '))])
  pairs.push(...filtersIn(asked, list))
  const most = Math.min(more.limit ?? table.asked.rows.limit, table.asked.rows.rows)
  if (mode === 'count') {
    if (by.length) pairs.push(['by', by.join(',')])
    for (const name of ['per', 'stat']) {
      if (!more[name]) continue
      const meant = name === 'stat' && table.index.stats[list.name].includes(more[name]) ? more[name] : countedBy(more[name], asked, known)
      if (!meant) return null
      pairs.push([name, meant])
    }
    if (more.within) more.within = String(!NO.test(more.within))
    if (more.level) more.level = singular(more.level.toLowerCase())
    for (const name of ['like', 'level', 'within']) if (more[name] && by.length) pairs.push([name, encodeURIComponent(more[name])])
    const top = numberIn(`${more.top ?? ''}`) ?? (by.length && Number.isFinite(more.limit) ? most : 0)
    if (top && by.length) pairs.push(['top', Math.min(top, table.index.most.values)])
    if (more.start && by.length === 1) pairs.push(['start', more.start])
  } else {
    const sort = more.sort || more.down !== undefined ? sortOf(more.sort ?? list.sorts[0], more.down, known, q.length) : ''
    if (more.sort && !sort && !/^(?:relevance|random|default|score|rank)/i.test(more.sort)) return null
    if (sort) pairs.push(['sort', sort])
    if (mode === 'rows') {
      if (named.length) pairs.push(['fields', [...new Set(named)].slice(0, table.asked.rows.most).join(',')])
      if (more.limit !== undefined) pairs.push(['limit', most])
      const start = more.start ?? (more.page > 1 ? (more.page - 1) * most : 0)
      if (start) pairs.push(['start', start])
      if (/^csv$/i.test(more.format ?? '')) pairs.push(['format', 'csv'])
    } else if (more.page > 1) pairs.push(['page', more.page])
  }
  return pairs.map((pair) => pair.join('=')).join('&')
}

function modeOf({ more }, by, fields) {
  const counts = by.length || ['per', 'stat', 'like', 'level', 'within'].some((name) => more[name]) || more.limit === 0
  if (counts) return 'count'
  const given = more.mode?.replace(/s$/, '')
  const asked = Object.keys(MODES).find((mode) => `${mode} ${MODES[mode]}`.split(' ').some((other) => other.replace(/s$/, '') === given))
  if (asked === 'count') return 'count'
  const rows = asked === 'rows' || fields.length || more.limit !== undefined || more.start !== undefined || /^csv$/i.test(more.format ?? '')
  return rows ? 'rows' : 'page'
}

// The address of a query of a list as it was probably meant: of its rows, its counts, or a page; null if it is not known.
export async function meantQuery(list, rawQuery, read, table) {
  const known = new Known(list, read, table)
  const asked = await askedIn(rawQuery, known)
  if (!asked) return null
  const { slug, site } = asked.more
  if (slug) return `${table.prefix}${list.root}/${known.key(slug)}`
  if (site) return table.reconcile ? `${table.prefix}/api/reconcile/${list.name}?queries=${quoted(JSON.stringify({ q0: { query: site } }))}` : null
  const raw = written(asked, known)
  if (raw === null) return null
  const { query } = resolve('GET', list.root, raw, table)
  return query ? address(query, query.page, table) : null
}

// The address of a feed as it was probably meant: its filters, and the alarm if that is valid; null if it is not known.
export async function meantFeed(rawQuery, read, table) {
  const list = table.lists.find(({ name }) => name === table.feeds.of)
  const known = new Known(list, read, table)
  const isAlarm = (token) => /^alarm=/.test(token)
  const tokens = rawQuery.split('&').filter((token) => token)
  const asked = await askedIn(tokens.filter((token) => !isAlarm(token)).join('&'), known)
  if (!asked || asked.q.length) return null
  const alarm = tokens.find(isAlarm)
  return `${table.prefix}${table.feed}?${[...filtersIn(asked, list), ...(alarm ? [alarm] : [])].map((pair) => [pair].flat().join('=')).join('&')}`
}

// The filters of what is asked, as [name, text].
function filtersIn({ filters, more }, list) {
  const pairs = [...filters].map(([filter, conditions]) => [filter, textOf(conditions)])
  const fixed = Object.keys(list.fixed).map((name) => [name, more[name]])
  return [...pairs, ...fixed].filter(([, text]) => text)
}

const COLLECTION = /^(?:collections?|types?|kinds?|in|index|entit(?:y|ies)|resources?|datasets?|scope)$/

// The addresses that a refused search over all collections may have meant.
export async function* meantSearch(rawQuery, read, table) {
  const tokens = tokensOf(rawQuery)
  const texts = tokens.map(([name, , raw]) => [plainName(name), decoded(raw).trim(), raw])
  const words = (text) => plainName(text).replace(/s$/, '')
  const [named] = texts.filter(([name]) => COLLECTION.test(name)).map(([, text]) => table.lists.find((list) => [list.name, table.kinds[list.name]].map(words).includes(words(text))))
  const known = new Known(named ?? table.lists[0], read, table)
  const others = texts.filter(([name]) => !COLLECTION.test(name))
  const meant = others.map(([name]) => parameterOf(name, known))
  const raw = others.map(([name, , text]) => `${name}=${text}`).join('&')
  if (named || meant.some((one) => one?.filters)) yield await meantQuery(known.list, raw, read, table)
  const q = others.filter((_, i) => meant[i]?.parameter === 'q').map(([, text]) => text).filter((text) => text)
  if (q.length) yield `${table.prefix}${table.search}?q=${quoted(q.join(' '))}`
}
