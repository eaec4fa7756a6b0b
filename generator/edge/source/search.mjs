// The query tier in JavaScript: a query -> the list document that answers it, from the published search index and pages.
// generator/search/engine.py does the same in Python, and both give the same bytes; docs/search.md tells the format.
//
// Whatever is read is checked against the manifest, so that files of two builds are never mixed, and nothing in it is believed:
// the manifest is held against itself, and every number against how many records there are.
import { Damaged, Mixed, crc32, encoder, numbersOf, sorted } from './bytes.mjs'
import { wordsOf } from './folding.mjs'
import { lookUp, place } from './keys.mjs'
import { address, listBytes, rowsAt } from './list.mjs'
import { Reader, damaged, unavailable } from './reader.mjs'
import { pastTheEnd, unknownValue } from './refusals.mjs'
import { fill, isPlain, problem } from './route.mjs'

// { body, etag }, the bytes of the document and what stands for them, or a refusal like those of `route`.  `read(path)` gives
// the bytes of a file, null where there is none.  Where `has(etag)`, there is no body.
export async function search(query, read, table, has = () => false) {
  const { sorts } = table.lists.find(({ name }) => name === query.collection)
  const simple = Object.values(query.filters).every(isPlain)
  if (!['relevance', ...sorts].includes(query.order) || !simple) return problem(table, 'unsupported-combination')
  let before
  for (let attempt = 1; attempt <= 2; attempt++) {
    const reader = new Reader(query, read, table)
    try {
      return await answer(reader, has)
    } catch (error) {
      if (error.status) return error
      if (error instanceof Damaged) return damaged('a file of it is not one that a build writes', table)
      if (!(error instanceof Mixed)) throw error
      if (reader.said === before) return damaged(error.message, table)
      before = reader.said
    }
  }
  return unavailable('The registry is being replaced; ask again in a moment.', table)
}

async function answer(reader, has) {
  const { query, table } = reader
  const manifest = await reader.manifest()
  const etag = etagOf(query, manifest, table)
  if (has(etag)) return { etag }
  const matches = await ordered(await matching(reader, manifest), reader, manifest)
  const { size } = manifest
  const pages = Math.max(1, Math.ceil(matches.length / size))
  if (query.page > pages) throw pastTheEnd(query.page, pages, table)
  const rows = await rowsAt(matches.subarray((query.page - 1) * size, query.page * size), reader, manifest)
  return { body: listBytes(query, rows, matches.length, pages, manifest, table), etag }
}

// Of an answer: the manifest names what it is made of, down to the last byte; the rest are the query and this program.
function etagOf(query, { check, raw }, table) {
  const asked = crc32(encoder.encode(`${table.made} ${address(query, query.page, table)}`))
  return `"${[check, raw.length, asked].map((number) => number.toString(16)).join('-')}"`
}

// The positions of all records that match: ascending, or for relevance the best first.
async function matching(reader, manifest) {
  const { query, table } = reader
  const shard = (group) => crc32(encoder.encode(group)) & (manifest.shards - 1)
  const filters = Object.entries(query.filters)
  const keys = filters.map(([filter, value]) => fill(table.index.key, { filter, value }))
  const words = [...new Set(query.q === null ? [] : wordsOf(query.q, table))]
  const conditions = keys.map((key) => [shard(key), key, false])
  conditions.push(...words.map((word) => place(word, shard, manifest.split, table)))
  const numbers = [...new Set(conditions.map(([number]) => number))]
  const shards = await reader.files(numbers.map((number) => [reader.path('keys', number), manifest.checks.keys[number]]))
  const found = conditions.map(([number, key, more]) => {
    reader.inTime()
    return lookUp(shards.get(reader.path('keys', number)), encoder.encode(key), more, manifest.count)
  })
  filters.forEach(([name, value], i) => {
    if (!found[i]) throw unknownValue(query.collection, name, value, table)
  })
  if (found.includes(null)) return new Uint32Array(0)
  const ofWords = found.slice(filters.length).map(({ ranks }) => ranks)
  const [least, ...others] = found.sort((a, b) => a.count - b.count)
  const matches = new Uint32Array(least.count)
  for (let p = 0, i = 0; i < matches.length; p++) if (least.ranks[p]) matches[i++] = p
  let count = matches.length
  for (const { ranks } of others) {
    const before = count
    count = 0
    for (let i = 0; i < before; i++) if (ranks[matches[i]]) matches[count++] = matches[i]
  }
  const all = matches.subarray(0, count)
  if (query.order !== 'relevance') return all
  return sorted(all, (p) => ofWords.reduce((sum, ranks) => sum + ranks[p], 0), 3 * ofWords.length)
}

// Positions in the order of the query's sort: the greatest number first, those without one last.
async function ordered(positions, reader, manifest) {
  const { order } = reader.query
  if (order === 'relevance' || order === reader.list.sorts[0] || !positions.length) return positions
  const [width, chunk] = manifest.sorts[order]
  const wanted = []
  for (let i = 0; i < positions.length; i++) wanted[Math.floor(positions[i] / chunk)] = true
  const parts = Object.keys(wanted)
  const files = await reader.files(parts.map((n) => [reader.path('numbers', n), manifest.checks[`sort/${order}`][n]]))
  const numbers = []
  for (const n of parts) {
    const data = files.get(reader.path('numbers', n))
    if (data.length !== width * Math.min(chunk, manifest.count - n * chunk)) throw new Damaged()
    numbers[n] = numbersOf(data, width)
  }
  const numberOf = (p) => numbers[Math.floor(p / chunk)][p % chunk]
  const found = sorted(positions, (p) => 65535 - (numberOf(p) & 65535), 65535)
  return width === 2 ? found : sorted(found, (p) => 65535 - (numberOf(p) >>> 16), 65535)
}
