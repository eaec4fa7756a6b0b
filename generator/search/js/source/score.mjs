// How well records answer the words of a query, in whole numbers, so that every engine has the same order.
import { sorted } from './bytes.mjs'

// What a name that is the query is worth above all else.
const NAMED = 2 ** 25

// Eight times the binary logarithm of how many records there are for each that has a word, and one.
function rarity(having, records) {
  const times = Math.floor((records * 256) / Math.max(1, having))
  const bits = 32 - Math.clz32(times)
  return (bits - 9) * 8 + ((times >>> (bits - 4)) & 7) + 1
}

// Positions, the best first: those that are `named` like the query, with all of its words, then by score, then by position.
// Each word has of each record in `marks` how much it is worth there.
export function ranked(positions, words, named, records) {
  const scores = new Uint32Array(records)
  for (const { marks } of words) {
    let having = 0
    for (let p = 0; p < records; p++) if (marks[p]) having++
    const rare = rarity(having, records)
    for (let i = 0; i < positions.length; i++) scores[positions[i]] += rare * marks[positions[i]]
  }
  for (let i = 0; i < positions.length; i++) if (named[positions[i]] === words.length) scores[positions[i]] += NAMED
  // By their lower half, and then by their upper.
  const most = 8191
  const lower = sorted(positions, (p) => most - (scores[p] & most), most)
  return sorted(lower, (p) => most - (scores[p] >>> 13), most)
}
