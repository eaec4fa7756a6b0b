// Answer a query from the published search index and pages; docs/search.md describes the format.
//
// Every file is checked against the manifest, so files of two builds are never mixed. Nothing read is trusted: the manifest
// is checked for consistency, and every number against the number of records.
import { alternatives, narrow, suggested } from './more.mjs'
import { Damaged, Mixed, sorted } from './bytes.mjs'
import { Column } from './columns.mjs'
import { conditionsOf, meeting, meetingAll } from './conditions.mjs'
import { counted } from './count.mjs'
import { everything, inOrder, queriesOf } from './everything.mjs'
import { pagesKey, seek } from './keys.mjs'
import { listBytes } from './list.mjs'
import { Reader } from './reader.mjs'
import { damaged, pastTheEnd, unavailable, unread } from './refusals.mjs'
import { fill } from './route.mjs'
import { rowsAt } from './rows.mjs'
import { ranked } from './score.mjs'

// A column of at most so many parts is read together with the shards, before the matching records are known.
const EARLY_PARTS = 2

// Answer a query: { body }, of a table that goes on with the header `link`, or a refusal like those of `route`. `read(path, again)` gives the bytes of a file, null if it is
// missing; `again` bypasses caches. `tagged(query, readers)`, if given, adds { etag, isKnown }; a known answer has no body.
// `query.part`, in browsers, limits the rows of a page to those from a place up to another. `query.answer(reader)`, if
// given, makes the answer from the index.
export async function search(query, read, table, tagged) {
  const until = untilOf(table)
  let before = []
  for (const again of [false, true]) {
    const readers = readersOf(query, read, table, until, again)
    try {
      return await tried(query, readers, tagged)
    } catch (error) {
      if (error.status) return error
      if (error instanceof Damaged) return damaged('one of its files has an unexpected form', table)
      if (!(error instanceof Mixed)) throw error
      const now = readers.map(({ manifest }) => manifest)
      if (now.every((manifest, i) => manifest === before[i])) return damaged(error.message, table)
      before = now
    }
  }
  return unavailable('The registry is updating. Try again in a moment.', table)
}

// When the time for an answer ends.
const untilOf = ({ index }) => Date.now() + index.most.seconds * 1000

// Read what a query needs before its rows: without words and filters what every query needs.
export async function prepare(query, read, table) {
  await Promise.all(readersOf(query, read, table, untilOf(table)).map(prepared))
}

// A reader for each collection of a query; `more` is what a Reader takes.
const readersOf = (query, ...more) =>
  (query.mode === 'search' ? queriesOf(query, more[1]) : [query]).map((one) => new Reader(one, ...more))

async function prepared(reader) {
  reader.begin(reader.manifest ?? (await reader.current()))
  if (reader.manifest.count) await meeting(conditionsOf(reader), [], [], reader)
}

// Answer with the cached manifests while the current ones are fetched; if one has changed, answer again.
async function tried(query, readers, tagged) {
  const early = readers.every(({ manifest }) => manifest) && answer(query, readers, tagged)
  const [manifests] = await Promise.all([inOrder(readers.map((reader) => reader.current())), Promise.allSettled([early])])
  if (readers.every(({ manifest }, i) => manifest === manifests[i])) return early
  readers.forEach((reader, i) => reader.begin(manifests[i]))
  return answer(query, readers, tagged)
}

// The answers by mode, made from readers. feeds.mjs, which the bundle for browsers leaves out, adds its own.
export const answers = { search: everything, count: counted, rows, page: listed }

async function answer(query, readers, tagged) {
  if (query.answer) return { body: await query.answer(readers[0]) }
  const tag = tagged?.(query, readers)
  if (tag?.isKnown) return tag
  const body = await answers[query.mode](query.mode === 'search' ? readers : readers[0], query)
  return { ...tag, ...(body.body ? body : { body }) }
}

// The list document of the query of a reader.
export async function listed(reader) {
  const { query, table, manifest } = reader
  const { size } = manifest
  const start = (query.page - 1) * size
  const [from, to = size] = query.part ?? [0]
  const { conditions, met, words, count, rows } = await selected(reader, start + from, start + Math.min(to, size))
  const pages = Math.max(1, Math.ceil(count / size))
  const suggestions = words.length && !count ? await suggested(conditions, reader) : []
  const instead = count ? [] : await alternatives(conditions, met, suggestions, reader)
  return listBytes(query, rows, count, pages, suggestions.map(({ q }) => q), instead, manifest, table)
}

async function rows(reader) {
  const [found] = await narrow(reader)
  if (!found) throw unread(reader.table.more.file, reader.table)
  return found
}

// The records of a query from a place up to another. Of `columns` at least the values of these records are read.
export async function selected(reader, from, to, columns = []) {
  const { query, table, manifest, list } = reader
  const conditions = conditionsOf(reader)
  const sort = query.order === 'relevance' || query.order === list.sorts[0] ? null : new Sort(query.order, reader)
  const early = columns.flatMap((column) => [column.listed, ...earlyFiles(column)])
  const met = await meeting(conditions, sort ? sort.seeks : [], sort ? [...sort.early, ...early] : early, reader)
  const found = meetingAll(conditions, met)
  const count = found.length
  const words = conditions.filter(({ named }) => named)
  const best = () => ranked(found, words, words[0].named, manifest.count)
  const positions = query.order === 'relevance' ? best() : sort ? await sort.ordered(found) : found
  const pages = Math.max(1, Math.ceil(count / manifest.size))
  if (query.page > pages) throw pastTheEnd(query.page, pages, table)
  const wanted = positions.subarray(from, to)
  const late = columns.flatMap((column) => column.files(wanted)).filter((file) => !reader.have(...file))
  if (late.length) await reader.fetch(late)
  const lists = conditions.flatMap((condition) => condition.lists?.() ?? [])
  const rows = await rowsAt(wanted, sort ? [...lists, ...sort.lists(wanted)] : lists, reader)
  return { conditions, met, words, count, wanted, rows }
}

// The files of a column that are read before the matching records are known.
export function earlyFiles(column) {
  const files = column.files()
  return files.length <= EARLY_PARTS ? files : []
}

// A sort that is not the default, with its column.
class Sort {
  constructor(order, reader) {
    const { list, table } = reader
    Object.assign(this, { reader, down: order[0] === '-', column: new Column(order.replace('-', ''), reader) })
    this.early = earlyFiles(this.column)
    this.seeks = list.sorts.includes(order) ? [seek(pagesKey(order), reader)] : []
    this.path = list.root + fill(table.files.sorted, { sort: order, page: ':page' })
  }

  // Positions in this order, those without a value last.
  async ordered(positions) {
    const { column, down, early, reader } = this
    if (!early.length) await reader.fetch(column.files(positions))
    const [numbers, most] = [column.numbers(), column.values]
    return sorted(positions, (p) => (numbers[p] ? (down ? most - numbers[p] : numbers[p] - 1) : most))
  }

  // The prepared pages as sources of rows.
  lists(positions) {
    const { column, down, early, seeks, path } = this
    if (!early.length || !seeks.length) return []
    return [{ path, pages: seeks[0], places: column.places(positions, down) }]
  }
}
