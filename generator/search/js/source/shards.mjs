// Which shard of an index has a key, and the checks of files by the manifest of the index.
import { crc32, encoder } from './bytes.mjs'

// The group of a key: all values of a filter, or all words with the same first letters. The keys of a group are in one
// shard.
export function group(key, split, prefix) {
  const known = key.replace(/^\*|^=(?=\/)/, '')
  if (known[0] === '/') {
    const all = known.slice(0, known.indexOf('/', 1))
    return split.has(all) ? known : all
  }
  const letters = [...known]
  if (known[0] === '=' || letters.length < prefix) return known
  let end = prefix
  while (split.has(letters.slice(0, end).join('')) && end < letters.length) end += 1
  return letters.slice(0, end).join('')
}

// The number of the shard that has a key, by the manifest of the index.
export const shardOf = (key, { split, shards }, prefix) => crc32(encoder.encode(group(key, split, prefix))) & (shards - 1)

// The check of a file, which is part of its name.
export function checkOf({ files }, what, n) {
  // Three checks take sixteen letters.
  const bytes = atob(files[what].substr(Math.floor(n / 3) * 16, 16))
  return [3, 2, 1, 0].reduce((check, i) => check * 256 + bytes.charCodeAt((n % 3) * 4 + i), 0)
}
