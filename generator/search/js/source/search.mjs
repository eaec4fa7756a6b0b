// The query tier in JavaScript: answers a query from the published search index and pages. generator/search/engine.py does
// the same in Python, and both give the same bytes; docs/search.md describes the format.
//
// Every file is checked against the manifest, so files of two builds are never mixed. Nothing read is trusted: the manifest
// is checked for consistency, and every number against the number of records.
import { Damaged, Mixed, crc32, encoder, sorted } from './bytes.mjs'
import { Column } from './columns.mjs'
import { conditionsOf, meeting } from './conditions.mjs'
import { countBytes } from './count.mjs'
import { wordsOf } from './folding.mjs'
import { pagesKey, seek } from './keys.mjs'
import { address, listBytes } from './list.mjs'
import { Reader } from './reader.mjs'
import { damaged, pastTheEnd, unavailable } from './refusals.mjs'
import { fill } from './route.mjs'
import { rowsAt } from './rows.mjs'
import { ranked } from './score.mjs'
import { suggested } from './suggested.mjs'

// A column of at most so many parts is read together with the shards, before the matching records are known.
const EARLY_PARTS = 2

// Answer a query: { body, etag }, or a refusal like those of `route`. `read(path, again)` gives the bytes of a file, null
// if it is missing; `again` bypasses caches. If `has(etag)`, there is no body.
export async function search(query, read, table, has = () => false) {
  let before
  for (let attempt = 1; attempt <= 2; attempt++) {
    const reader = new Reader(query, read, table, attempt > 1)
    try {
      return await tried(reader, has)
    } catch (error) {
      if (error.status) return error
      if (error instanceof Damaged) return damaged('one of its files has an unexpected form', table)
      if (!(error instanceof Mixed)) throw error
      if (reader.manifest === before) return damaged(error.message, table)
      before = reader.manifest
    }
  }
  return unavailable('The registry is updating. Try again in a moment.', table)
}

// Answer with the cached manifest while the current one is fetched; if it has changed, answer again.
async function tried(reader, has) {
  const early = reader.manifest && settled(answer(reader, has))
  const [manifest, found] = await Promise.all([reader.current(), early])
  if (manifest === reader.manifest) return found()
  reader.begin(manifest)
  return answer(reader, has)
}

// A function that returns the value of a promise, or throws its error.
const settled = (promise) =>
  promise.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )

async function answer(reader, has) {
  const { query, table, manifest } = reader
  const etag = etagOf(query, manifest, table)
  if (has(etag)) return { etag }
  return { body: await (query.mode === 'count' ? counted(reader) : listed(reader)), etag }
}

// The ETag of an answer. The manifest has the checks of all files; the rest are the query and this program.
function etagOf(query, { check, bytes }, table) {
  const asked = crc32(encoder.encode(`${table.made} ${address(query, query.page ?? 1, table)}`))
  return `"${[check, bytes, asked].map((number) => number.toString(16)).join('-')}"`
}

async function listed(reader) {
  const { query, table, manifest, list } = reader
  const { size } = manifest
  const conditions = conditionsOf(reader)
  const sort = query.order === 'relevance' || query.order === list.sorts[0] ? null : new Sort(query.order, reader)
  const met = await meeting(conditions, sort ? sort.seeks : [], sort ? sort.early : [], reader, true)
  const found = metBy(conditions, met)
  const count = found.length
  const words = conditions.filter(({ named }) => named)
  const best = () => ranked(found, words, words[0].named, manifest.count)
  const positions = query.order === 'relevance' ? best() : sort ? await sort.ordered(found) : found
  const pages = Math.max(1, Math.ceil(count / size))
  if (query.page > pages) throw pastTheEnd(query.page, pages, table)
  const wanted = positions.subarray((query.page - 1) * size, query.page * size)
  const lists = conditions.flatMap((condition) => condition.lists?.() ?? [])
  const rows = await rowsAt(wanted, sort ? [...lists, ...sort.lists(wanted)] : lists, reader)
  const suggestions = words.length && !count ? await suggested(conditions, reader) : []
  return listBytes(query, rows, count, pages, suggestions, manifest, table)
}

// The positions of the records that meet all conditions, ascending; `met` is how many each record meets.
function metBy(conditions, met) {
  const [fewest] = conditions.map((condition) => condition.met).sort((a, b) => a.length - b.length)
  const candidates = fewest ?? Uint32Array.from(met, (_, p) => p)
  return Uint32Array.from(candidates.filter((p) => met[p] === conditions.length)).sort()
}

// A sort that is not the default, with its column.
class Sort {
  constructor(order, reader) {
    const { list, table } = reader
    Object.assign(this, { reader, down: order[0] === '-', column: new Column(order.replace('-', ''), reader) })
    const files = this.column.files()
    this.early = files.length <= EARLY_PARTS ? files : []
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

// The counts of a query without rows.
async function counted(reader) {
  const { query, table, manifest } = reader
  const conditions = conditionsOf(reader)
  const columns = query.by.map((name) => new Column(name, reader))
  const others = columns.map(({ name }) => conditions.filter((condition) => condition.name !== name))
  const files = columns.flatMap((column, i) => [column.listed, ...(others[i].length ? column.files() : [])])
  const met = await meeting(conditions, [], files, reader)
  let total = 0
  for (let p = 0; p < met.length; p++) if (met[p] === conditions.length) total++
  const counts = columns.map((column, i) => {
    let values = column.lines()
    if (others[i].length) {
      // A filter's own constraint does not narrow its counts.
      const own = conditions.find((condition) => condition.name === column.name)
      const marks = new Uint8Array(met.length)
      for (let p = 0; p < met.length; p++) marks[p] = met[p] - (own ? own.marks[p] : 0) === others[i].length
      const tally = column.tally(marks)
      values.forEach((line, n) => (line[2] = tally[n + 1]))
      values = values.filter((line) => line[2])
    }
    if (query.like !== null) values = values.filter((line) => isLike(query.like, line.slice(0, 2), table))
    values.sort((a, b) => b[2] - a[2] || (a[0] < b[0] ? -1 : 1))
    reader.inTime()
    return [column.name, values]
  })
  return countBytes(query, total, counts, reader)
}

// Whether each word of a text begins one of the words of other texts.
function isLike(text, others, table) {
  const known = others.flatMap((other) => wordsOf(other, table))
  return wordsOf(text, table).every((begun) => known.some((word) => word.startsWith(begun)))
}
