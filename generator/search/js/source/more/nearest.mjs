// The known values nearest to a text.
import { runsOf } from '../folding.mjs'
import { isWithin } from './suggest.mjs'

const MOST = 10
const LETTERS = 60
const [KNOWN, COUNTED] = [20_000, 400]
const [SAME, BEGINS, INSIDE, SLIP, SHARED, FAR] = [0, 1, 2, 3, 5, 99]

// The values that `near` finds; if it finds none and there are at most MOST, all known values.
export function nearest(text, known, table) {
  return nearestOfEach([text], known, table)
}

// At most MOST values: the nearest of each text, then the next of each; all known values as `nearest` gives them.
export function nearestOfEach(texts, known, table) {
  const some = known.slice(0, KNOWN)
  const words = wordsOf(some, table)
  const found = texts.map((text) => allNear(text, some, words, table))
  const longest = Math.max(0, ...found.map((values) => values.length))
  const near = new Set()
  for (let i = 0; i < longest; i++) for (const values of found) if (i < values.length) near.add(values[i])
  if (near.size) return [...near].slice(0, MOST)
  return known.length > MOST ? [] : known.map(([value]) => value)
}

// At most MOST of the known [value, label] pairs that are near in spelling or label, the nearest first; equally near ones
// keep their order. The label of a place in another ends with a comma and the label of the other; only the name before it is
// compared, from its beginning. Edits are only counted of the words that have most pieces of the wanted word unchanged.
export function near(text, known, table) {
  const some = known.slice(0, KNOWN)
  return allNear(text, some, wordsOf(some, table), table).slice(0, MOST)
}

// The value that is most like a text in spelling, and not only by a word in both; undefined if there is none.
export function closest(text, known, table) {
  const some = known.slice(0, KNOWN)
  return allNear(text, some, wordsOf(some, table), table, SHARED)[0]
}

const isAscii = (text) => !/[^\0-\x7f]/.test(text)
const lengthOf = (text) => (isAscii(text) ? text.length : Array.from(text).length)
const cut = (text, length) => (isAscii(text) ? text.slice(0, length) : Array.from(text).slice(0, length).join(''))
const plain = (text, table) => cut(runsOf(text, table).join('-'), LETTERS)

// The words of known values: { place, word, isName, isInner }; one if the value and its name are the same.
function wordsOf(known, table) {
  const labels = new Set(known.map(([, label]) => label))
  return known.flatMap(([value, label], place) => {
    const name = ownName(label, labels)
    const [first, second] = [plain(value, table), plain(name, table)]
    const isInner = name !== label
    const named = { place, word: second, isName: true, isInner }
    return first === second ? [named] : [{ place, word: first, isName: false, isInner }, named]
  })
}

function allNear(text, known, words, table, end = FAR) {
  const wanted = plain(text, table)
  const letters = Array.from(wanted)
  const most = [3, 6, 10].filter((least) => letters.length >= least).length
  const pieces = piecesOf(letters, most)
  const [rank, rankOfInner] = rankTo(wanted, letters.length)
  const ranks = new Array(known.length).fill(FAR)
  // By the number of unchanged pieces.
  const similar = Array.from({ length: pieces.length + 1 }, () => [])
  for (const { place, word, isName, isInner } of words) {
    let found = isInner ? rankOfInner(word, isName) : rank(word)
    if (isName && wanted && wanted === initialsOf(word)) found = Math.min(found, BEGINS)
    ranks[place] = Math.min(ranks[place], found)
    if (found <= SLIP || Math.abs(letters.length - lengthOf(word)) > most) continue
    let unchanged = 0
    for (const piece of pieces) if (word.includes(piece)) unchanged++
    similar[unchanged].push([place, word])
  }
  for (const [place, word] of similar.reverse().flat().slice(0, COUNTED)) {
    let slips = 0
    while (slips <= most && !isWithin(letters, Array.from(word), slips)) slips++
    if (slips <= most) ranks[place] = Math.min(ranks[place], SLIP + slips - 1)
  }
  const places = [...ranks.keys()].filter((i) => ranks[i] < end).sort((i, j) => ranks[i] - ranks[j] || i - j)
  return [...new Set(places.map((i) => known[i][0]))]
}

// A label without ", " and another label at its end: "Nairobi" of "Nairobi, Kenya".
export function ownName(label, labels) {
  for (let end = label.indexOf(', '); end > 0; end = label.indexOf(', ', end + 2)) {
    if (labels.has(label.slice(end + 2))) return label.slice(0, end)
  }
  return label
}

// The first letters of the parts of a word with several parts: "uk" of "united-kingdom".
function initialsOf(word) {
  return word.includes('-') ? word.split('-').map((part) => cut(part, 1)).join('') : ''
}

// A word in one piece more than there may be slips: most slips leave a piece unchanged.
function piecesOf(letters, most) {
  const size = Math.max(1, Math.ceil(letters.length / (most + 1)))
  const count = Math.ceil(letters.length / size)
  return Array.from({ length: count }, (_, i) => letters.slice(i * size, (i + 1) * size).join(''))
}

// Functions that say how near a word is to another with so many letters, without slips: of the value or the name of any value,
// and of a place in another.
function rankTo(text, length) {
  const together = text.replace(/-/g, '')
  const parts = text.split('-')
  const long = parts.filter((word) => lengthOf(word) > 2)
  const joins = (other) => other.replace(/-/g, '').startsWith(together)
  const begins = (other) => {
    if (!text || !other) return FAR
    return text === other ? SAME : length > 1 && other.startsWith(text) ? BEGINS : undefined
  }
  const rank = (other) => {
    const begun = begins(other)
    if (begun !== undefined) return begun
    if (length > 1 && (other.includes(`-${text}`) || joins(other))) return INSIDE
    if (parts.includes(other)) return SHARED
    const words = long.length ? other.split('-') : []
    return long.some((word) => words.includes(word)) ? SHARED : FAR
  }
  const rankOfInner = (other, isName) => {
    const begun = begins(other)
    if (begun !== undefined) return begun
    if (!isName) return text.startsWith(`${other}-`) ? SHARED : FAR
    if (length > 1 && joins(other)) return INSIDE
    return lengthOf(other) > 2 && `-${text}-`.includes(`-${other}-`) ? SHARED : FAR
  }
  return [rank, rankOfInner]
}
