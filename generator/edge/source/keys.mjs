// The shards of an index: which one has a key, and the records that have the key.
import { Damaged, compared } from './bytes.mjs'

// The shard in which a word is looked up, the key, and whether keys that begin with it count too.
export function place(word, shard, split, table) {
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
export function lookUp(data, wanted, more, records) {
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
