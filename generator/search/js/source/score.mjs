// Rank records by the words of a query, in whole numbers, which are the same in all engines.
import { sorted } from './bytes.mjs'

// The score of a record whose name is the query, above all other scores.
const NAMED = 2 ** 25

// 8 × log2(records / having) + 1, in whole numbers; `having` records have the word.
function rarity(having, records) {
  const times = Math.floor((records * 256) / Math.max(1, having))
  const bits = 32 - Math.clz32(times)
  return (bits - 9) * 8 + ((times >>> (bits - 4)) & 7) + 1
}

// Positions, the best first: records whose name is the query, which have all of its words in `named`; then by score, then
// by position. The `marks` of each word have its worth in each record.
export function ranked(positions, words, named, records) {
  const scores = new Uint32Array(records)
  for (const { marks } of words) {
    let having = 0
    for (let p = 0; p < records; p++) if (marks[p]) having++
    const rare = rarity(having, records)
    for (let i = 0; i < positions.length; i++) scores[positions[i]] += rare * marks[positions[i]]
  }
  for (let i = 0; i < positions.length; i++) if (named[positions[i]] === words.length) scores[positions[i]] += NAMED
  // Radix sort: by the lower half of the scores, then by the upper.
  const most = 8191
  const lower = sorted(positions, (p) => most - (scores[p] & most), most)
  return sorted(lower, (p) => most - (scores[p] >>> 13), most)
}
