// The shards of an index: the records with a key.
import { Damaged, encoder } from './bytes.mjs'
import { group, shardOf } from './shards.mjs'

// The key with the checks of the prepared pages of a list, from the key of a filter value or the name of a sort.
export const pagesKey = (key) => `=${key}`

// The key of a name as it is written, in the shard of its first word; the name is folded by `foldName`.
export const nameSeek = (folded, { shard }) => ({ shard, key: encoder.encode(`"${folded}`), more: false, bodies: [] })

// A key to find; with `more`, longer keys that begin with it count too.
export function seek(key, { manifest, table }, more = false) {
  return { shard: shardOf(key, manifest, table.index.prefix), key: encoder.encode(key), more, bodies: [] }
}

// The keys of a query word: the word itself and, from three letters on, all words that begin with it.
export function seeksOf(word, reader) {
  const [{ split }, { prefix }] = [reader.manifest, reader.table.index]
  const short = [...word].length < prefix
  // A divided group has a key for all words with its prefix, besides the key of the word itself.
  const divided = !short && split.has(group(word, split, prefix))
  return divided ? [seek(word, reader), seek(`*${word}`, reader)] : [seek(word, reader, !short)]
}

// Reads LEB128 numbers of at most 32 bits, one after another from `at`.
class Varints {
  constructor(data) {
    Object.assign(this, { data, at: 0 })
  }

  next() {
    let number = 0
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const byte = this.data[this.at++]
      number += (byte & 127) * factor
      if (byte < 128) return number
    }
    throw new Damaged()
  }
}

// Adds the bodies of the keys found to the `bodies` of each seek, as [body, whether it is the key itself].
export function find(data, seeks) {
  const numbers = new Varints(data)
  let [before, length] = [0, 0]
  while (numbers.at < data.length) {
    const size = numbers.next()
    const key = numbers.at
    numbers.at += size
    const end = numbers.next() + numbers.at
    let i = 0
    while (i < size && i < length && data[before + i] === data[key + i]) i++
    if (end > data.length || i === size || (i < length && data[before + i] > data[key + i])) throw new Damaged()
    for (const { key: wanted, more, bodies } of seeks) {
      if (size < wanted.length || (!more && size > wanted.length)) continue
      let k = 0
      while (k < wanted.length && data[key + k] === wanted[k]) k++
      if (k === wanted.length) bodies.push([data.subarray(numbers.at, end), size === k])
    }
    before = key
    length = size
    numbers.at = end
  }
}

// Calls `visit(position, level)` for each posting of a body. These loops over records run before they are compiled, so they
// allocate nothing.
export function postings(body, { table, blocks: { first, held } }, visit) {
  const { levels, block } = table.index
  const place = (id, level) => {
    const slot = Math.floor(id / block)
    if (!(id - slot * block < held[slot])) throw new Damaged()
    visit(first[slot] + id - slot * block, level)
  }
  const numbers = new Varints(body)
  let least = 0
  while (numbers.at < body.length) {
    const level = body[numbers.at] >> 3
    const width = body[numbers.at++] & 7
    const number = numbers.next()
    let at = numbers.at
    const end = number * (width || 1) + at
    if (level < least || level >= levels || ![0, 1, 2, 4].includes(width) || !number || end > body.length) throw new Damaged()
    least = level + 1
    numbers.at = end
    // The greatest gap of one or two bytes continues in the next gap, and is no posting itself.
    const more = [0, 255, 65535][width]
    for (let id = 0; width && at < end; at += width) {
      let gap = body[at]
      if (width > 1) gap += body[at + 1] << 8
      if (width > 2) gap += (body[at + 2] << 16) + body[at + 3] * 2 ** 24
      id += gap
      if (gap !== more) place(id, level)
    }
    for (let start = 0; at < end; start += 8) {
      for (let id = start, bits = body[at++]; bits; id++, bits >>= 1) if (bits & 1) place(id, level)
    }
  }
}
