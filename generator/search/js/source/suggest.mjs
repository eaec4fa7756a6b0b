// What may have been meant by a query that finds nothing: queries that differ in one or two words.
// generator/search/suggest.py tells of the files that the words are in, and has the same answers.
import { Damaged, crc32, decoded, encoder } from './bytes.mjs'

// Letters that a word or what is meant by it has, for one edit and for two; letters of the least part of a word that is two.
const [ONE, TWO, PART] = [4, 8, 2]
// What may be meant by one word, and queries, at most; words in which a query differs from the one asked, at most.
const [WORDS, QUERIES, MOST] = [12, 20, 2]

// In which of so many files a word is, and what may be meant by it.
export function places(word, number) {
  const letters = [...word]
  const ends = [`^${letters.slice(0, 2).join('')}`, `${letters.slice(-2).join('')}$`]
  return ends.map((end) => crc32(encoder.encode(end)) & (number - 1))
}

// The words of some files, each with the bits of its count.
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

// Queries that may have been meant, the likeliest first.  `missing` are the places of words that no record has: all of them
// have to be others; where there are none, it may be any one of the words.
export function queries(asked, known, missing) {
  if (missing.length > MOST) return []
  const every = (missing.length ? missing : [...asked.keys()]).map((place) => changesAt(asked, place, known))
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

// One of each, in all ways.
const product = ([first, ...others]) => (others.length ? first.flatMap((a) => others[0].map((b) => [a, b])) : first.map((a) => [a]))

// So many of the keys with their numbers, the least of these first, equal ones by the alphabet.
function best(found, number) {
  const codes = (text) => Array.from(text, (letter) => letter.codePointAt(0).toString(16).padStart(6, '0')).join('')
  const order = ([text, [first, second]], [other, [third, fourth]]) =>
    first - third || second - fourth || (codes(text) < codes(other) ? -1 : 1)
  return [...found].sort(order).slice(0, number)
}

// What may be meant by the word at a place: another, its parts, or one with that before or after.
function changesAt(asked, place, known) {
  const change = (start, end, distance, words) => ({ start, end, distance, words })
  const found = near(asked[place], known, asked.length === 1).map(([word, [distance]]) => change(place, place + 1, distance, [word]))
  const parts = split(asked[place], known)
  if (parts.length) found.push(change(place, place + 1, 0, parts))
  for (const start of [place - 1, place]) {
    const joined = asked.slice(Math.max(start, 0), start + 2).join('')
    if (start >= 0 && start < asked.length - 1 && known.has(joined)) found.push(change(start, start + 2, 0, [joined]))
  }
  return found
}

// The known words that may be meant by a word, with the number of edits, the likeliest first.  A short word is not changed
// where it is `alone`.  One edit leaves half of a word as it is; two have to leave its first two letters or its last two.
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

// Whether so many edits at most make one word of the other: a letter left out, put in or exchanged, or two neighbours that
// change places.
function isWithin(one, other, edits) {
  if (Math.abs(one.length - other.length) > edits) return false
  let at = 0
  while (at < one.length && at < other.length && one[at] === other[at]) at++
  const [a, b] = [one.slice(at), other.slice(at)]
  if (!edits || !a.length || !b.length) return Math.max(a.length, b.length) <= edits
  const left = (i, j) => isWithin(a.slice(i), b.slice(j), edits - 1)
  return left(1, 1) || left(1, 0) || left(0, 1) || (a.length > 1 && a[0] === b[1] && a[1] === b[0] && left(2, 2))
}

// The fewest known words that a word is made of, at least two; none where it is not.
function split(word, known) {
  const letters = [...word]
  const least = [[]]
  for (let end = PART; end <= letters.length; end++) {
    for (let start = 0; start <= end - PART; start++) {
      const part = letters.slice(start, end).join('')
      if (!least[start] || part === word || !known.has(part)) continue
      if (!least[end] || least[start].length + 1 < least[end].length) least[end] = [...least[start], part]
    }
  }
  return least[letters.length] ?? []
}
