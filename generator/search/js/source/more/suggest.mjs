// Suggestions for a query that finds nothing: queries that differ from it in one or two words.
// generator/search/vocabulary.py writes the files of the words.
import { Damaged, crc32, decoded, encoder } from '../bytes.mjs'

// Minimum letters of the word or its replacement for one edit, and for two; minimum letters of a part when a word is split.
const [ONE, TWO, PART] = [4, 8, 2]
// Maximum replacements of a word, maximum suggested queries, and maximum words in which a suggestion differs.
const [WORDS, QUERIES, MOST] = [12, 20, 2]

// Which of `number` files have a word and its replacements.
export function places(word, number) {
  const letters = [...word]
  const ends = [`^${letters.slice(0, 2).join('')}`, `${letters.slice(-2).join('')}$`]
  return ends.map((end) => crc32(encoder.encode(end)) & (number - 1))
}

// The words of some files with the bit lengths of their counts.
export function wordsIn(files) {
  const known = new Map()
  for (const file of files) {
    for (const line of decoded(file).split('\n').slice(0, -1)) {
      const tab = line.indexOf('\t')
      if (tab >= 0 && !/^\t([1-9]\d?)?$/.test(line.slice(tab))) throw new Damaged()
      known.set(tab < 0 ? line : line.slice(0, tab), tab < 0 ? 1 : Number(line.slice(tab + 1) || 1))
    }
  }
  return known
}

// Suggested queries, the likeliest first. `frequencies` are the bit lengths of the number of records that have each word.
// All words that no record has are replaced. If there are none, any one of the words is.
export function queries(asked, known, frequencies) {
  const missing = [...asked.keys()].filter((place) => !frequencies[place])
  if (missing.length > MOST) return []
  const every = (missing.length ? missing : [...asked.keys()]).map((place) => changesAt(asked, place, known, frequencies[place]))
  const found = new Map()
  for (const changes of missing.length ? product(every) : every.flat().map((change) => [change])) {
    let [end, changed, distance, fewest] = [0, 0, 0, Infinity]
    const words = []
    const several = changes.filter((one, i) => !i || !same(one, changes[0])).sort((a, b) => a.start - b.start)
    for (const one of several) {
      if (one.start < end) changed = Infinity
      words.push(...asked.slice(end, one.start), ...one.words)
      end = one.end
      changed += one.end - one.start
      distance += one.distance
      fewest = Math.min(fewest, ...one.words.map((word) => known.get(word)))
    }
    if (changed <= MOST) found.set([...words, ...asked.slice(end)].join(' '), [distance, -fewest])
  }
  return best(found, QUERIES).map(([query]) => query)
}

const same = (one, other) => one.start === other.start && one.end === other.end && String(one.words) === String(other.words)

// All combinations of an item of each list.
const product = ([first, ...others]) => (others.length ? first.flatMap((a) => others[0].map((b) => [a, b])) : first.map((a) => [a]))

// The first `number` entries by their two numbers, then by the alphabet.
function best(found, number) {
  const codes = (text) => Array.from(text, (letter) => letter.codePointAt(0).toString(16).padStart(6, '0')).join('')
  const order = ([text, [first, second]], [other, [third, fourth]]) =>
    first - third || second - fourth || (codes(text) < codes(other) ? -1 : 1)
  return [...found].sort(order).slice(0, number)
}

// Replacements of the word at a place: words that are not less frequent, because a word that many records have is no
// misspelling of a rare one; its parts; or the word joined with the one before or after it.
function changesAt(asked, place, known, bits) {
  const change = (start, end, distance, words) => ({ start, end, distance, words })
  const others = near(asked[place], known, asked.length === 1).filter(([word]) => known.get(word) >= bits)
  const found = others.map(([word, [distance]]) => change(place, place + 1, distance, [word]))
  const parts = split(asked[place], known)
  if (parts.length) found.push(change(place, place + 1, 0, parts))
  for (const start of [place - 1, place]) {
    const joined = asked.slice(Math.max(start, 0), start + 2).join('')
    if (start >= 0 && start < asked.length - 1 && known.has(joined)) found.push(change(start, start + 2, 0, [joined]))
  }
  return found
}

// The known words within one or two edits of a word, with the number of edits, the likeliest first. A short word is
// replaced only if it is not `alone` in the query. After one edit, the first or second half of the word must be unchanged;
// after two, its first or last two letters.
function near(word, known, alone) {
  const letters = [...word]
  const found = new Map()
  const look = (edits, kept, least) => {
    const [first, last] = [letters.slice(0, kept).join(''), letters.slice(-kept).join('')]
    for (const [one, bits] of known) {
      if (!(one.startsWith(first) || one.endsWith(last)) || one === word || found.has(one)) continue
      const other = [...one]
      if (Math.max(letters.length, other.length) < least) continue
      if (isWithin(letters, other, edits)) found.set(one, [edits, -bits])
    }
  }
  look(1, Math.max(1, (letters.length - 1) >> 1), alone ? ONE : PART)
  if (letters.length + 2 >= TWO) look(2, 2, TWO)
  return best(found, WORDS)
}

// Whether at most `edits` edits turn one word into the other: a letter removed, added or replaced, or two neighbours
// swapped.
export function isWithin(one, other, edits) {
  if (Math.abs(one.length - other.length) > edits) return false
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  const [a, b] = [one.slice(at), other.slice(at)]
  if (!edits || !a.length || !b.length) return Math.max(a.length, b.length) <= edits
  const left = (i, j) => isWithin(a.slice(i), b.slice(j), edits - 1)
  return left(1, 1) || left(1, 0) || left(0, 1) || (a.length > 1 && a[0] === b[1] && a[1] === b[0] && left(2, 2))
}

// The fewest known words, at least two, that a word consists of; empty if there are none.
function split(word, known) {
  const ends = [0]
  for (const letter of word) ends.push(ends[ends.length - 1] + letter.length)
  const lengths = new Set(Array.from(known.keys(), (other) => other.length))
  const least = [[]]
  for (const [start, from] of ends.entries()) {
    for (let end = start + PART; least[start] && end < ends.length; end++) {
      if (!lengths.has(ends[end] - from) || (least[end] && least[start].length + 1 >= least[end].length)) continue
      const part = word.slice(from, ends[end])
      if (part !== word && known.has(part)) least[end] = [...least[start], part]
    }
  }
  return least[ends.length - 1] ?? []
}
