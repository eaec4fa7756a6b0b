// The addresses that an address below /api/ may have meant, the likeliest first.
import { jsonOf } from '../bytes.mjs'
import { quoted } from '../list.mjs'
import { closest } from '../more/nearest.mjs'
import { decoded } from '../more/near.mjs'
import { fill, plainly, unprefixed } from '../route.mjs'
import { Known, singular } from './known.mjs'
import { filtersOf, parameterOf, plainName } from './parameters.mjs'
import { meantFeed, meantQuery, meantSearch } from './query.mjs'

const INDEX = 'index.json'
// Words for the records of the first collection, and for documents of the index.
const RECORDS = /^(?:record|item|entity)$/
const SURFACES = {
  dashboard: 'stat statistic summary overview metric number home total',
  openapi: 'doc spec swagger schema swagger_json reference',
  build: 'status health healthz version meta info ping',
  events_feed: 'feed ics ical rss atom',
  index: 'all data export download dump list endpoint root',
}
const VERSION = /^(?:v[0-9]+|rest|public|latest|api|json)$/
const ENDING = /\.([a-z]{2,7})$/
const TABLES = /^(?:csv|tsv|xlsx?)$/

// Each address that is yielded is asked; `yield` gives the refusal's Response, or undefined. `refused` is the problem document.
export async function* meantAddresses(path, rawQuery, refused, read, table) {
  const inside = unprefixed(plainly(path), table)
  const list = table.lists.find(({ root }) => root === inside)
  if (list) return yield* queries(list, rawQuery, read, table)
  if (inside === table.feed) return yield await meantFeed(rawQuery, read, table)
  if (inside === table.search) return yield* meantSearch(rawQuery, read, table)
  if (!`${inside}/`.startsWith(table.api)) return undefined
  const segments = decoded(inside).slice(table.api.length).split('/').filter((segment) => segment)
  if (segments.length > 1 && VERSION.test(segments[0]) && segments[1] !== 'agent') segments.shift()
  const [, ending = ''] = ENDING.exec(segments[segments.length - 1] ?? '') ?? []
  if (ending) segments.push(segments.pop().replace(ENDING, ''))
  const [found, rest] = listIn(segments, table)
  if (found) return yield* below(found, rest, ending, rawQuery, refused, read, table)
  return yield* elsewhere(segments, ending, rawQuery, read, table)
}

// A query, and without its page, which may be past the end.
async function* queries(list, rawQuery, read, table) {
  yield await meantQuery(list, rawQuery, read, table)
  if (/(^|&)page=/.test(rawQuery)) yield await meantQuery(list, rawQuery.replace(/(^|&)page=[^&]*/, ''), read, table)
}

const at = (path, table) => table.prefix + path

// The list that the first segments name, and the others.
function listIn(segments, table) {
  const [first = '', second = ''] = segments.map((segment) => singular(plainName(segment)))
  for (const list of table.lists) {
    const names = list.root.slice(table.api.length).split('/').map((name) => singular(plainName(name)))
    if (names.every((name, i) => name === [first, second][i])) return [list, segments.slice(names.length)]
  }
  const named = ({ name: of, root }, name) => [of, table.kinds[of], root.split('/').pop()].some((one) => singular(plainName(one)) === name)
  const called = ({ name: of }) => (table.index.called[of] ?? '').split(' ').includes(first)
  const list = table.lists.find((one) => named(one, first) || one.root.startsWith(`${table.api}${segments[0]}/`)) ??
    (first && table.lists.find(called)) ?? (RECORDS.test(first) ? table.lists[0] : undefined)
  return list ? [list, segments.slice(1)] : []
}

// Addresses below those of a list.
async function* below(list, rest, ending, rawQuery, refused, read, table) {
  const [first = '', second = '', ...others] = rest
  const word = singular(plainName(first))
  const asking = (...more) => queries(list, [...more, ...(rawQuery ? [rawQuery] : [])].join('&'), read, table)
  const page = /page\/([1-9][0-9]*)$/.exec(rest.join('/'))?.[1]
  const paged = page > 1 ? [`page=${page}`] : []
  if (!first && TABLES.test(ending)) yield* asking('mode=rows', 'format=csv')
  if (!first && /^(?:ics|ical|rss|atom)$/.test(ending)) yield at(`${list.root}.ics`, table)
  if (!first) {
    if (list.bare && !rawQuery) yield at(list.root, table)
    return yield* asking()
  }
  if (/^(?:page|list|all|index)$/.test(word) || /^[0-9]{1,3}$/.test(first)) {
    const number = [first, second].find((text) => /^[1-9][0-9]*$/.test(text)) ?? '1'
    yield at(list.root + fill(table.files.plain, { page: number }), table)
    return yield* asking()
  }
  if (/^(?:count|total|stat)$/.test(word)) return yield* asking('mode=count')
  if (word === 'search') return yield* asking(...(second ? [`q=${quoted(second)}`] : []))
  if (/^(?:filter|facet|value|tag|categorie|category)$/.test(word)) {
    const [filter] = second ? (parameterOf(plainName(second), new Known(list, read, table))?.filters ?? []) : []
    if (filter) yield at(list.root + fill(table.files.values, { filter }), table)
    return yield at(list.root + table.files.filters, table)
  }
  if (/^(?:upcoming|next|future|current)$/.test(word) && list.bare) return yield at(list.root, table)
  if (/^(?:sort|order)$/.test(word)) return yield* asking(`sort=${second}`, ...paged)
  const known = new Known(list, read, table)
  const [name, value] = /^(?:by|where)$/.test(word) ? [second, others[0]] : [first, second]
  const meant = value === undefined || !value ? null : parameterOf(plainName(name), known)
  if (meant?.filters && word !== 'slug') return yield* asking(`${meant.filters[0]}=${encodeURIComponent(value)}`, ...paged)
  return yield* record(list, /^(?:slug|id|record|name)$/.test(word) && second ? rest.slice(1) : rest, word === 'slug', refused, known, table)
}

// A record, or a list of those that refer to it.
async function* record(list, [given, other], isFile, refused, known, table) {
  const address = (slug) => at(list.root + (isFile ? fill(table.files.record, { slug }) : `/${slug}`), table)
  const slug = known.key(given)
  if (!slug) return undefined
  const [referring] = other ? listIn([other], table) : []
  const refers = Object.entries(referring ? table.index.refers[referring.name] : {}).filter(([, to]) => to === list.name)
  const [filter] = refers.find(([name]) => name === table.kinds[list.name]) ?? refers[0] ?? []
  if (filter) return yield await meantQuery(referring, `${filter}=${slug}`, known.read, table)
  yield address(slug)
  const missed = isFile || !refused.allowed ? yield at(`${list.root}/${slug}`, table) : null
  const allowed = (missed ? JSON.parse(await missed.text()).allowed : refused.allowed) ?? []
  const nearest = closest(given, allowed.map((one) => [one, one]), table) ?? (await valueNamed(given, list, known))
  if (nearest) yield address(nearest)
  return undefined
}

// The record that a text names as the value of a filter.
async function valueNamed(text, list, { read, table }) {
  for (const other of table.lists) {
    for (const [filter, to] of Object.entries(table.index.refers[other.name])) {
      if (to === list.name) return (await new Known(other, read, table).value(text, filter))?.value
    }
  }
  return undefined
}

// Addresses that name no list: a document, a filter, or a value.
async function* elsewhere([first = '', ...rest], ending, rawQuery, read, table) {
  const name = plainName(first)
  const word = singular(name)
  if (word === 'search' && rest.length) return yield at(`${table.search}?q=${quoted(rest.join(' '))}`, table)
  const index = jsonOf(await read(table.api + INDEX)).data
  const hrefs = Object.fromEntries(index.surfaces.filter(({ href }) => href).map((one) => [one.name, one.href]))
  const surface = Object.keys(SURFACES).find((one) => one === word || SURFACES[one].split(' ').includes(word))
  if (surface && hrefs[surface] && !rest.length) return yield hrefs[surface]
  if (!first || surface === 'index') return yield at(table.api + INDEX, table)
  if (/^(?:upcoming|next)$/.test(word)) for (const list of table.lists) if (list.bare) return yield at(list.root, table)
  const lists = table.lists.map((list) => new Known(list, read, table))
  for (const known of rest.length ? [] : lists) {
    const [found] = await known.filtersWith(first)
    if (found) return yield await meantQuery(known.list, [`${found[0]}=${found[1]}`, ...(rawQuery ? [rawQuery] : [])].join('&'), read, table)
  }
  if (/^(?:tag|filter|facet|categorie|category)$/.test(word) && !rest.length) return yield at(lists[0].list.root + table.files.filters, table)
  for (const known of lists) {
    const [filter] = filtersOf(name, known)
    if (!filter) continue
    const list = table.lists.find(({ name: of }) => of === table.index.refers[known.list.name][filter])
    if (list) return yield* below(list, rest, ending, rawQuery, {}, read, table)
    if (rest.length) return yield await meantQuery(known.list, `${filter}=${encodeURIComponent(rest[0])}`, read, table)
    if (known.isListed(filter)) return yield at(known.list.root + fill(table.files.values, { filter }), table)
  }
  const nearest = closest([first, ...rest].join('-'), Object.entries(hrefs).map(([of, href]) => [href, of]), table)
  if (nearest) yield nearest
  return undefined
}
