// Rank records by the words of a query, in whole numbers, which are the same in all engines.
import { sorted } from './bytes.mjs'

// What is added to the score of a record whose name is written as the query, has its words, or has them if it is split at
// capitals: more than all other scores.
const [SAME, WRITTEN, SPLIT] = [2 ** 26, 2 ** 25, 2 ** 24]

// 8 × log2(records / having) + 1, in whole numbers; `having` records have the word.
function rarity(having, records) {
  const times = Math.floor((records * 256) / Math.max(1, having))
  const bits = 32 - Math.clz32(times)
  return (bits - 9) * 8 + ((times >>> (bits - 4)) & 7) + 1
}

// Positions, the best first: records whose name is the query, which have all of its words in `named.written`, those in
// `named.same` before others; then those that have them in `named.split`; then by score, then by position. The `marks` of
// each word have its worth in each record, and `met` the positions of those that have it.
export function ranked(positions, words, named, records) {
  const scores = new Uint32Array(records)
  for (const { marks, met } of words) {
    const rare = rarity(met.length, records)
    for (let i = 0; i < positions.length; i++) scores[positions[i]] += rare * marks[positions[i]]
  }
  for (let i = 0; i < positions.length; i++) {
    const p = positions[i]
    if (named.written[p] === words.length) scores[p] += named.same[p] ? SAME : WRITTEN
    else if (named.split[p] === words.length) scores[p] += SPLIT
  }
  return sorted(positions, (p) => 2 * SAME - scores[p])
}
