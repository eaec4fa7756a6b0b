// Reads for one query: the manifest of an index and the files that it means, within the bounds.
import { Damaged, Mixed, crc32, decoder, isSealed, numbersOf, rowsIn, same, unpacked } from './bytes.mjs'
import { fill, problem } from './route.mjs'

// What is kept for the next query: files by path and check, the oldest first, and manifests as they were read.
const MOST_KEPT = 16 * 2 ** 20
const [kept, manifests] = [new Map(), new Map()]
let keptBytes = 0

export function unavailable(detail, table) {
  return { ...table.unavailable, detail }
}

export function damaged(how, table) {
  const onward = 'Unless it is being published just now, build and publish it again.'
  return unavailable(`The search index is damaged: ${how}. ${onward}`, table)
}

// Whether it is a whole number within these bounds.
const isWhole = (number, least, most) => Number.isInteger(number) && number >= least && number <= most

// How many files so many things take; none where there are no such files.
const filesOf = (things, aFile) => (aFile ? Math.ceil(things / aFile) : 0)

// Reads for one query, within the bounds.
export class Reader {
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
