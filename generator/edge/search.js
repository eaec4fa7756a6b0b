// The query tier in JavaScript: a query -> the list document that answers it, from the published search index and pages.
// generator/search/engine.py does the same in Python, and both give the same bytes; docs/search.md tells the format.
//
// Whatever is read is checked against the manifest, so that files of two builds are never mixed, and nothing in it is believed:
// the manifest is held against itself, and every number against how many records there are.
import { fill, pastTheEnd, problem, unknownValue, wordsOf } from './resolver.js'

// A file is not the one that the manifest means.
class Mixed extends Error {}
// A file is not one that a build writes.
class Damaged extends Error {}

const [encoder, decoder] = [new TextEncoder(), new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })]

// The last key of a manifest, and what is behind it.
const SEAL = ',"check":"00000000"}\n'
// What is kept for the next query: files by path and check, the oldest first, and manifests as they were read.
const MOST_KEPT = 16 * 2 ** 20
const [kept, manifests] = [new Map(), new Map()]
let keptBytes = 0

// { body, etag }, the bytes of the document and what stands for them, or a refusal like those of `route`.  `read(path)` gives
// the bytes of a file, null where there is none.  Where `has(etag)`, there is no body.
export async function search(query, read, table, has = () => false) {
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

function unavailable(detail, table) {
  return { ...table.unavailable, detail }
}

function damaged(how, table) {
  const onward = 'Unless it is being published just now, build and publish it again.'
  return unavailable(`The search index is damaged: ${how}. ${onward}`, table)
}

// Whether it is a whole number within these bounds.
const isWhole = (number, least, most) => Number.isInteger(number) && number >= least && number <= most

// How many files so many things take; none where there are no such files.
const filesOf = (things, aFile) => (aFile ? Math.ceil(things / aFile) : 0)

// Reads for one query, within the bounds.
class Reader {
  constructor(query, read, table) {
    const { most } = table.index
    Object.assign(this, { query, read, table, most, reads: 1, bytes: 0, until: Date.now() + most.seconds * 1000 })
  }

  get list() {
    return this.table.lists.find(({ name }) => name === this.query.collection)
  }

  path(name, number) {
    return fill(this.table.index[name], { collection: this.query.collection, sort: this.query.order, number })
  }

  async one(path) {
    try {
      return await this.read(path)
    } catch {
      throw unavailable('The search index cannot be read.', this.table)
    }
  }

  // Each time, for it says whether anything else is still good; parsed again only when it is another.
  async manifest() {
    const { collection } = this.query
    const raw = await this.one(this.path('manifest'))
    if (!raw) throw unavailable(`There is no search index of ${collection} here.`, this.table)
    let found = manifests.get(collection)
    if (!found || !same(found.raw, raw)) {
      found = { raw, check: crc32(raw), ...this.parsed(raw) }
      manifests.set(collection, found)
    }
    this.said = found
    return found
  }

  parsed(raw) {
    const { most, format } = this.table.index
    const { unicode } = this.table.folding
    let found
    try {
      found = raw.length <= most.manifest ? JSON.parse(decoder.decode(raw)) : null
      if (found.kind !== 'search_index' || !isWhole(found.format, 0, 2 ** 30)) throw new Damaged()
      if (found.format !== format) {
        throw unavailable(`The search index has the format ${found.format}; this program reads ${format}.`, this.table)
      }
      if (!isSealed(raw) || found.collection !== this.query.collection) throw new Damaged()
      if (typeof found.unicode !== 'string' || !/^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/.test(found.unicode)) throw new Damaged()
      if (found.unicode !== unicode) {
        const both = `was made by Unicode ${found.unicode}; this program folds words by ${unicode}`
        throw unavailable(`The search index ${both}. They go together in one version of the generator.`, this.table)
      }
      return this.held(found)
    } catch (error) {
      throw error.status ? error : damaged('its manifest is not one that a build writes', this.table)
    }
  }

  // A manifest with each number within its bounds, and as many files as they ask for; else an error.
  held(found) {
    const { count, size, as_of: day, shards, split, rows, pages_a_block: many, block_bytes: bytes, sorts } = found
    const { most } = this.table.index
    const pages = Math.max(1, Math.ceil(count / size))
    const files = { keys: shards, rows: filesOf(count, rows), pages, blocks: filesOf(pages, many) }
    const wanted = this.list.sorts.slice(1)
    for (const [name, [width, chunk]] of Object.entries(sorts)) {
      if (!wanted.includes(name) || ![2, 4].includes(width) || !isWhole(chunk, 1, 2 ** 30)) throw new Damaged()
      files[`sort/${name}`] = filesOf(count, chunk)
    }
    const checks = {}
    for (const [name, packed] of Object.entries(found.checks)) checks[name] = numbersOf(unpacked(packed), 4)
    const right =
      isWhole(count, 0, most.records) && isWhole(size, 1, most.size) && isWhole(rows, 0, size - 1) &&
      isWhole(many, 0, most.records) && isWhole(shards, 1, most.records) && !(shards & (shards - 1)) &&
      Object.keys(sorts).length === wanted.length && Object.keys(checks).length === Object.keys(files).length &&
      Object.entries(files).every(([name, number]) => checks[name].length === number) &&
      Array.isArray(bytes) && bytes.length === files.blocks && bytes.every((number) => isWhole(number, 0, 2 ** 53)) &&
      (day === null || (typeof day === 'string' && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(day))) &&
      Array.isArray(split) && split.every((group) => typeof group === 'string')
    if (!right) throw new Damaged()
    return { ...found, checks, split: new Set(split) }
  }

  // path -> bytes of [path, check] pairs, of which so many bytes are known to come.
  async files(wanted, expected = 0) {
    this.reads += wanted.length
    this.bound('reads', this.reads)
    this.bound('bytes', this.bytes + expected)
    const found = await Promise.all(wanted.map(([path, check]) => this.file(path, check)))
    this.bytes += found.reduce((sum, data) => sum + data.length, 0)
    this.inTime()
    return new Map(wanted.map(([path], i) => [path, found[i]]))
  }

  inTime() {
    if (Date.now() > this.until) throw unavailable(`The answer took longer than ${this.most.seconds} seconds.`, this.table)
  }

  bound(what, needed) {
    if (needed <= this.most[what]) return
    const bound = `This query needs ${needed} ${what}, and at most ${this.most[what]} are allowed.`
    throw problem(this.table, 'invalid-parameter', `${bound} Ask with fewer or longer words, or fewer filters.`)
  }

  async file(path, check) {
    const key = `${path} ${check}`
    let data = kept.get(key)
    if (!data) {
      data = await this.one(path)
      if (!data) throw new Mixed(`${path} is missing`)
      if (crc32(path.endsWith('.json') ? rowsIn(data) : data) !== check) {
        throw new Mixed(`${path} is not the file that the manifest means`)
      }
      keptBytes += kept.has(key) ? 0 : data.length
    }
    kept.delete(key)
    kept.set(key, data)
    for (const [oldest, { length }] of kept) {
      if (keptBytes <= MOST_KEPT) break
      kept.delete(oldest)
      keptBytes -= length
    }
    return data
  }
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

// The shard in which a word is looked up, the key, and whether keys that begin with it count too.
function place(word, shard, split, table) {
  const letters = [...word]
  let end = table.index.prefix
  if (letters.length < end) return [shard(word), word, false]
  const group = () => letters.slice(0, end).join('')
  while (split.has(group()) && end < letters.length) end += 1
  // A word that a divided group is called after: all that begins with it is there under one key.
  return split.has(group()) ? [shard(group()), `*${word}`, false] : [shard(group()), word, true]
}

// The records that have a key, or with `more` any that begins with it: { ranks, count }, the class of each by position, from
// 1, and how many there are; null where no key does.  Loops over records run before they are compiled, so they make nothing
// but numbers.
function lookUp(data, wanted, more, records) {
  const ranks = new Uint8Array(records)
  let [at, count, known, before] = [0, 0, false, data.subarray(0, 0)]
  // A number of at most 32 bits.
  const varint = () => {
    let number = 0
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = data[at++]
      number += (byte & 127) * factor
      if (byte < 128) return number
    }
    throw new Damaged()
  }
  const mark = (p, rank) => {
    if (p >= records) throw new Damaged()
    if (!ranks[p]) count++
    if (!ranks[p] || ranks[p] > rank) ranks[p] = rank
  }
  while (at < data.length) {
    const size = varint()
    const key = data.subarray(at, at + size)
    at += size
    const end = varint() + at
    if (end > data.length || compared(before, key) >= 0) throw new Damaged()
    before = key
    let same = size === wanted.length || (more && size > wanted.length)
    for (let i = 0; same && i < wanted.length; i++) same = key[i] === wanted[i]
    known ||= same
    for (let least = 1; same && at < end; ) {
      const rank = (data[at] & 3) + 1
      const width = data[at++] >> 2
      const number = varint()
      const last = number * (width || 1) + at
      if (rank < least || rank > 3 || ![0, 1, 2, 4].includes(width) || !number || last > end) throw new Damaged()
      if (width && number > records) throw new Damaged()
      least = rank + 1
      for (let p = 0; width && at < last; at += width) {
        p += data[at]
        if (width > 1) p += data[at + 1] << 8
        if (width > 2) p += (data[at + 2] << 16) + data[at + 3] * 2 ** 24
        mark(p, rank)
      }
      for (let first = 0; at < last; first += 8) {
        for (let p = first, bits = data[at++]; bits; p++, bits >>= 1) if (bits & 1) mark(p, rank)
      }
    }
    at = end
  }
  return known ? { ranks, count } : null
}

// Which of two byte strings comes first: less than 0, 0, more than 0.
function compared(a, b) {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  return i < a.length && i < b.length ? a[i] - b[i] : a.length - b.length
}

// Positions by a number, the least first, and `most` the greatest there may be; equal ones stay in their order.
function sorted(positions, numberOf, most) {
  const starts = new Uint32Array(most + 2)
  for (let i = 0; i < positions.length; i++) starts[numberOf(positions[i]) + 1]++
  for (let n = 1; n < starts.length; n++) starts[n] += starts[n - 1]
  const found = new Uint32Array(positions.length)
  for (let i = 0; i < positions.length; i++) found[starts[numberOf(positions[i])]++] = positions[i]
  return found
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

// Unsigned little-endian numbers, as all machines that run this have them.
function numbersOf(data, width) {
  if (data.length % width) throw new Damaged()
  const bytes = data.byteOffset % width ? data.slice() : data
  return new (width === 2 ? Uint16Array : Uint32Array)(bytes.buffer, bytes.byteOffset, bytes.length / width)
}

// The encoded summaries: from files of a few rows; from pages, and blocks of pages, where those would be too many.
async function rowsAt(positions, reader, manifest) {
  const { rows, size, pages_a_block: many, checks } = manifest
  const pageAt = (page) => reader.list.root + fill(reader.table.files.plain, { page })
  const pathOf = ([level, n]) => (level === 'pages' ? pageAt(n + 1) : reader.path(level, n))
  const sizes = Object.entries({ rows, pages: size, blocks: size * many }).filter(([, held]) => held)
  const files = cover(positions, sizes, reader.most.reads - reader.reads)
  const distinct = [...new Map(files.map((file) => [pathOf(file), file]))]
  const expected = distinct.reduce((sum, [, [level, n]]) => sum + (level === 'blocks' ? manifest.block_bytes[n] : 0), 0)
  const read = await reader.files(distinct.map(([path, [level, n]]) => [path, checks[level][n]]), expected)
  const rowsOf = (data, [level, n, held]) => {
    const paged = level === 'pages'
    const inside = paged ? rowsIn(data) : data.subarray(0, data.length - (data[data.length - 1] === 10))
    return linesIn(inside, paged, Math.min(held, manifest.count - n * held))
  }
  const lines = new Map(distinct.map(([path, file]) => [path, rowsOf(read.get(path), file)]))
  return files.map((file, i) => lines.get(pathOf(file))[positions[i] % file[2]])
}

// For each position the file that its row is read from, as [level, number, rows a file].  `levels` have so many rows a file,
// ever more.  Where files of one level are more than `most`, some of the next take their place, those first that take the
// place of most.
function cover(positions, [[first, rows], ...larger], most) {
  let files = Array.from(positions, (p) => [first, Math.floor(p / rows), rows])
  const names = (of) => new Set(of.map(([level, n]) => `${level} ${n}`))
  for (const [level, size] of larger) {
    const replaced = new Map()
    files.forEach((file, i) => {
      const n = Math.floor(positions[i] / size)
      replaced.set(n, [...(replaced.get(n) ?? []), file])
    })
    const gains = [...replaced].map(([n, held]) => [n, names(held).size]).sort(([a, m], [b, n]) => n - m || a - b)
    for (const [n, gain] of gains) {
      if (names(files).size <= most || gain < 2) break
      files = files.map((file, i) => (Math.floor(positions[i] / size) === n ? [level, n, size] : file))
    }
  }
  return files
}

function unpacked(base64) {
  if (typeof base64 !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) throw new Damaged()
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
  return bytes
}

// What is between the first line break of a page and the last but one.
function rowsIn(page) {
  const start = page.indexOf(10) + 1
  return page.subarray(start, Math.max(start, page.lastIndexOf(10, page.length - 2)))
}

// So many lines, where there are as many; with `commas` each but the last ends with one, which is left out.
function linesIn(data, commas, number) {
  const lines = []
  for (let start = 0, end; start <= data.length; start = end + 1) {
    end = data.indexOf(10, start)
    if (end < 0) end = data.length
    const comma = commas && end < data.length
    if (lines.length === number || (comma && data[end - 1] !== 44)) throw new Damaged()
    lines.push(data.subarray(start, end - comma))
  }
  if (lines.length !== number) throw new Damaged()
  return lines
}

// The address of a page of the answer, its parameters in canonical order.
function address({ collection, q, filters, sort }, page, table) {
  const pairs = ['mode=page']
  if (q !== null) pairs.push(`q=${quoted(q)}`)
  for (const [name, value] of Object.entries(filters)) pairs.push(`${name}=${value}`)
  if (sort) pairs.push(`sort=${sort}`)
  if (page !== 1) pairs.push(`page=${page}`)
  return `${table.prefix}${table.lists.find(({ name }) => name === collection).root}?${pairs.join('&')}`
}

function listBytes(query, rows, count, pages, manifest, table) {
  const list = table.lists.find(({ name }) => name === query.collection)
  const { page: number, order, q, filters } = query
  const at = (page) => address(query, page, table)
  const head = {
    schema_version: table.schema_version,
    kind: `${table.kinds[list.name]}_list`,
    ...(manifest.as_of === null ? {} : { as_of: manifest.as_of }),
    query: { mode: 'page', page: number, sort: order, q, filters },
    page: { number, size: manifest.size, count: rows.length, total_items: count, total_pages: pages },
    links: {
      self: at(number),
      first: at(1),
      prev: number > 1 ? at(number - 1) : null,
      next: number < pages ? at(number + 1) : null,
      last: at(pages),
      filters: table.prefix + list.root + table.files.filters,
    },
  }
  const opening = JSON.stringify(head).slice(0, -1)
  const parts = rows.flatMap((row, i) => [encoder.encode(i ? ',\n' : `${opening},"data":[\n`), row])
  parts.push(encoder.encode(rows.length ? '\n]}\n' : `${opening},"data":[]}\n`))
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((start, part) => (body.set(part, start), start + part.length), 0)
  return body
}

// As urllib.parse.quote has it, which escapes five characters more.
function quoted(text) {
  return encodeURIComponent(text).replace(/[!\x27()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

function same(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

// Whether a manifest's last key is the CRC-32 of all before it.
function isSealed(raw) {
  const end = raw.length - SEAL.length
  const check = crc32(raw.subarray(0, end)).toString(16).padStart(8, '0')
  return end > 0 && decoder.decode(raw.subarray(end)) === SEAL.replace('00000000', check)
}

// The CRC-32 of zlib, four bytes at a time: entry 256 k + b of the table is that of the byte b and then k bytes of zeros.
const CRCS = new Uint32Array(1024)
for (let b = 0; b < 256; b++) {
  let c = b
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
  CRCS[b] = c
}
for (let i = 256; i < 1024; i++) CRCS[i] = (CRCS[i - 256] >>> 8) ^ CRCS[CRCS[i - 256] & 255]

function crc32(data) {
  let [c, i] = [-1, 0]
  for (const end = data.length - 3; i < end; i += 4) {
    c ^= data[i] | (data[i + 1] << 8) | (data[i + 2] << 16) | (data[i + 3] << 24)
    c = CRCS[768 + (c & 255)] ^ CRCS[512 + ((c >>> 8) & 255)] ^ CRCS[256 + ((c >>> 16) & 255)] ^ CRCS[c >>> 24]
  }
  for (; i < data.length; i++) c = (c >>> 8) ^ CRCS[(c ^ data[i]) & 255]
  return ~c >>> 0
}
