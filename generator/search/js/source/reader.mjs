// Reads for one query: the manifest of an index and the files that it lists, within bounds.
import { Mixed, crc32, encoder, hex, rowsIn } from './bytes.mjs'
import { parsed } from './manifest.mjs'
import { unavailable } from './refusals.mjs'
import { fill, problem } from './route.mjs'
import { checkOf } from './shards.mjs'

// The cache for later queries: files by path and check, the oldest first, and parsed manifests.
const MOST_KEPT = 16 * 2 ** 20
const [kept, manifests] = [new Map(), new Map()]
let keptBytes = 0

function keep(key, data) {
  if (!kept.delete(key)) keptBytes += data.length
  kept.set(key, data)
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= MOST_KEPT) break
    kept.delete(oldest)
    keptBytes -= length
  }
  return data
}

// Empty the cache.
export function forget() {
  kept.clear()
  manifests.clear()
  keptBytes = 0
}

// The content of a file that ends with its own check on a line; null if the check is wrong.
function checkedIn(data) {
  const content = data.subarray(0, -9)
  const line = encoder.encode(`${hex(crc32(content))}\n`)
  return line.every((byte, i) => byte === data[content.length + i]) ? content : null
}

export class Reader {
  // `until` is when the time for the answer ends; `again` says that a file did not match: caches between here and the host
  // are bypassed.
  constructor(query, read, table, until, again) {
    const { most } = table.index
    const list = table.lists.find(({ name }) => name === query.collection)
    Object.assign(this, { query, read, table, again, most, until, list })
    this.begin(again ? null : manifests.get(list.name))
  }

  // Start again with this manifest.
  begin(manifest) {
    Object.assign(this, { manifest, reads: 1, bytes: 0, held: new Map() })
  }

  async one(path, again = this.again) {
    try {
      return await this.read(path, again)
    } catch {
      throw unavailable('The search index cannot be read.', this.table)
    }
  }

  // The current manifest, which shows whether other files are still current; parsed only if it has changed.
  async current() {
    const { name } = this.list
    const raw = await this.one(fill(this.table.index.manifest, { collection: name }))
    if (!raw) throw unavailable(`There is no search index of ${name} here.`, this.table)
    const check = crc32(raw)
    let found = manifests.get(name)
    if (!found || found.check !== check || found.bytes !== raw.length) {
      found = { ...parsed(raw, this.list, this.table), check, bytes: raw.length }
      manifests.set(name, found)
    }
    return found
  }

  // Reads files of the index, as [what, number] and for a small row file its check, and prepared pages, as [path, check];
  // `expected` is their approximate size in bytes. `have` and `page` then give their contents. A page that does not match
  // is left out.
  async fetch(files, pages = [], expected = 0) {
    const { manifest, held } = this
    const wanted = new Map()
    for (const [what, number, of] of files) {
      const check = of ?? checkOf(manifest, what, number)
      const path = fill(this.table.index.file, { collection: this.list.name, what, number: `${number}-${hex(check)}` })
      wanted.set(`${what},${number}`, [path, check, of !== undefined])
    }
    for (const [path, check] of pages) wanted.set(path, [path, check])
    this.bound(wanted.size, expected)
    const read = async ([key, [path, check, own]]) => {
      const page = key === path
      const known = kept.get(`${path} ${check}`)
      const meant = (data) => {
        const content = data && (page ? rowsIn(data) : own ? checkedIn(data) : data)
        return content && (known || own || crc32(content) === check) ? content : null
      }
      let data = known ?? (await this.one(path))
      let content = meant(data)
      if (page && !content && !this.again && this.reads < this.most.reads) {
        // It may be an old copy in a cache on the way.
        this.reads++
        data = await this.one(path, true)
        content = meant(data)
      }
      if (content) {
        held.set(key, content)
        keep(`${path} ${check}`, data)
        this.bytes += data.length
      } else if (!page) throw new Mixed(`${path} is ${data ? 'not the file that the manifest lists' : 'missing'}`)
    }
    await Promise.all([...wanted].map(read))
    this.bound(0, 0)
    this.inTime()
  }

  get blocks() {
    return this.manifest.blocks
  }

  // The content of a file that was read.
  have(what, number) {
    return this.held.get(`${what},${number}`)
  }

  page(path) {
    return this.held.get(path)
  }

  inTime() {
    if (Date.now() > this.until) throw unavailable(`The answer took longer than ${this.most.seconds} seconds.`, this.table)
  }

  // Counts reads, and throws a refusal if there are too many reads or bytes, with those that are expected.
  bound(reads, bytes) {
    const needed = { reads: this.reads + reads, bytes: this.bytes + bytes }
    for (const what in needed) {
      if (needed[what] <= this.most[what]) continue
      const bound = `This query needs ${needed[what]} ${what}; the limit is ${this.most[what]}.`
      throw problem(this.table, 'invalid-parameter', `${bound} Use fewer or longer words, or fewer filters.`)
    }
    this.reads += reads
  }
}
