// Names compared: the words of a name that count, under which keys the index has a name, and how alike two names are.
// generator/features/matching/names.py does the same in Python; `table.names` has its words and numbers.
import { runsOf } from './folding.mjs'
import { isWithin } from './suggest.mjs'
import { withoutEnd } from './texts.mjs'

const sizeOf = (text) => [...text].length
const isWord = (list, word) => ` ${list} `.includes(` ${word} `)

// The words of a text. `and` is no word, and `L.L.C.` is the word `llc`.
export function nameIn(text, table) {
  const words = []
  let before = ''
  for (const word of runsOf([...text].slice(0, table.names.longest).join(''), table)) {
    if (sizeOf(word) === 1 && sizeOf(before) === 1) words[words.length - 1] += word
    else words.push((before = word))
  }
  const counted = words.filter((word) => word !== 'and')
  return nameOf(counted.length ? counted : words, table)
}

// All words of a name, those without legal forms and a first `the`, and these abbreviated.
export function nameOf(words, { names: { forms, before, short } }) {
  const start = words.length > 1 && words[0] === 'the' ? 1 : 0
  let end = words.length
  let more = false
  while (end > start + 1 && (isWord(forms, words[end - 1]) || (more && isWord(before, words[end - 1])))) {
    end -= 1
    more = !isWord(before, words[end])
  }
  const core = words.slice(start, end)
  return { words, core, joined: core.join(''), short: core.map((word) => (Object.prototype.hasOwnProperty.call(short, word) ? short[word] : word)) }
}

const initialsOf = ({ core }, { least: { initials } }) => (core.length >= initials ? core.map((word) => [...word][0]).join('') : '')

// The keys to look for a name, the likeliest first: its first and its last letters, the first letters of its last word, and
// its initials. A key has so many letters, and one more for each key that is in `split`.
export function keysOf(name, letters, split, { names }) {
  if (!name.joined) return []
  const longest = (text, keyOf) => {
    const parts = [...text]
    let size = letters
    while (split.has(keyOf(parts, size)) && size < parts.length) size++
    return keyOf(parts, size)
  }
  const first = (text) => longest(text, (parts, size) => `^${parts.slice(0, size).join('')}`)
  const last = (text) => longest(text, (parts, size) => `${parts.slice(-size).join('')}$`)
  const more = [name.core[name.core.length - 1], initialsOf(name, names)].filter((part) => part)
  return [first(name.joined), last(name.joined), ...more.map(first)]
}

// The keys to look for a website, [host, path]; many records may have the same host.
export const siteKeysOf = ([host, path], split) => (path && split.has(`@${host}`) ? [`@${host}/${path}`, `@${host}`] : [`@${host}`])

// How alike two names are, from 0 to 100, and why.
export function compare(asked, known, { names }) {
  const { same, core, joined, shortened, initials } = names.scores
  if (asked.words.join(' ') === known.words.join(' ')) return [same, 'name']
  if (asked.core.join(' ') === known.core.join(' ') && asked.words[0] === known.words[0]) return [core, 'legal_form']
  if (asked.joined === known.joined || asked.words.join('') === known.words.join('')) return [joined, 'spacing']
  if (asked.short.join('') === known.short.join('')) return [shortened, 'abbreviation']
  const [spelt, common] = [spelling(asked.joined, known.joined, names), inCommon(asked, known, names)]
  const found = common >= spelt ? [common, 'words'] : [spelt, 'spelling']
  const initial = initialsOf(asked, names) === known.joined || initialsOf(known, names) === asked.joined
  return found[0] < initials && initial ? [initials, 'initials'] : found
}

// The score of names that differ in one or two letters, else 0.
function spelling(first, second, { edits, scores }) {
  const [one, other] = [[...first], [...second]]
  const longest = Math.max(one.length, other.length)
  const n = edits.findIndex((least, i) => longest >= least && isMisspelt(one, other, i + 1)) + 1
  return n && scores.edited - Math.floor((50 * n) / longest)
}

// The score of the words that two names have in common, in any order: by their share of each name. A word that begins the
// other, or is one edit away, counts four fifths.
function inCommon(asked, known, names) {
  const left = [...known.short]
  const take = (found) => {
    const i = left.findIndex(found)
    return i < 0 ? undefined : left.splice(i, 1)[0]
  }
  const weight = (word) => sizeOf(word) * (isWord(names.common, word) ? 1 : 4)
  const rest = asked.short.filter((word) => take((other) => other === word) === undefined)
  const sum = (words) => words.reduce((total, word) => total + weight(word), 0)
  let first = 5 * (sum(asked.short) - sum(rest))
  let second = first
  for (const word of rest) {
    const other = take((one) => isLike(word, one, names))
    if (other === undefined) continue
    first += 4 * weight(word)
    second += 4 * weight(other)
  }
  if (!first) return 0
  const share = (matched, words) => Math.floor((100 * matched) / (5 * sum(words)))
  const shares = [share(first, asked.short), share(second, known.short)]
  return Math.floor((20 * (shares[0] + shares[1]) + (names.scores.some - 40) * Math.max(...shares)) / 100)
}

function isLike(word, other, { least, edits }) {
  const [shorter, longer] = sizeOf(other) < sizeOf(word) ? [other, word] : [word, other]
  if (sizeOf(shorter) >= least.begun && longer.startsWith(shorter)) return true
  return sizeOf(longer) > edits[0] && isMisspelt([...word], [...other], 1)
}

// Whether so many edits of letters turn one text into the other; other digits are no error.
function isMisspelt(one, other, edits) {
  const digits = (letters) => letters.filter((letter) => /[0-9]/.test(letter)).join('')
  return digits(one) === digits(other) && isWithin(one, other, edits)
}

// The host and path of a web address in lower case; '' if it is none.
function addressOf(text, table) {
  const [host, path] = siteOf(text, table) ?? []
  return path ? `${host}/${path}`.toLowerCase() : ''
}

// The identifier that a text may be, in lower case, with its scheme, if the text names it, or with its web address; null if
// it is none.
export function idIn(text, table) {
  const site = addressOf(text, table)
  const plain = site ? site.slice(site.lastIndexOf('/') + 1) : withoutEnd(text.replace(/^[ \t\r\n]+/, ''), /[ \t\r\n]/)
  const found = new RegExp(`^(?:${table.names.id})$`).exec(plain)
  return found && { key: found[2].toLowerCase(), scheme: found[1] ?? '', site }
}

// The host and the path of a web address, with or without scheme; null if it is none.
export function siteOf(text, { names }) {
  const found = new RegExp(`^(?:${names.site})$`, 'i').exec(text)
  return found && [found[1].toLowerCase(), withoutEnd(found[2] ?? '', /\//)]
}
