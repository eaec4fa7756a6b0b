// Names compared: the words of a name that count, under which keys the index has a name, and how alike two names are.
// The keys are those of generator/features/matching/names.py; `table.names` has their words and numbers.
import { isWithin } from './more/suggest.mjs'
import { runsOf } from './folding.mjs'
import { withoutEnd } from './texts.mjs'

const sizeOf = (text) => [...text].length
const isWord = (list, word) => ` ${list} `.includes(` ${word} `)

// The names that a question may mean: as written, and without its brackets. A web address has words in common with names
// only without a path: those of its host, of which the last, its `end`, says nothing.
export function askedIn(text, table) {
  const name = nameIn(text, table)
  const [host, path] = siteOf(text, table) ?? []
  if (path) return [{ ...name, short: [] }]
  if (host) return [{ ...nameIn(host, table), words: name.words, stems: name.stems, end: host.slice(host.lastIndexOf('.') + 1) }]
  const bare = beforeBrackets(text, table).map((part) => nameIn(part, table))
  return [name, ...bare.filter(({ words }) => words.length)]
}

// A name without the brackets at its end: without the last, and, if there are several, without all of them.
function beforeBrackets(text, { names }) {
  const { opening, closing, between } = names.brackets
  const letters = [...text].slice(0, names.longest)
  const ends = []
  let depth = 0
  for (let at = letters.length - 1; at >= 0; at--) {
    const letter = letters[at]
    if (closing.includes(letter)) depth++
    else if (depth && opening.includes(letter)) {
      if (!--depth) ends.push(at)
    } else if (!depth && !between.includes(letter)) break
  }
  return [...new Set([...ends.slice(0, 1), ...ends.slice(-1)])].map((end) => letters.slice(0, end).join(''))
}

// The words of a text. `and` is no word, and `L.L.C.` is the word `llc`.
export function nameIn(text, table) {
  const joined = new RegExp(`^(?:${table.names.forms.joined})$`)
  const words = []
  let before = ''
  for (const run of runsOf([...text].slice(0, table.names.longest).join(''), table)) {
    const parts = /[^\0-\x7f]/.test(run) && joined.exec(run)
    for (const word of parts ? parts.slice(1).filter((part) => part) : [run]) {
      if (sizeOf(word) === 1 && sizeOf(before) === 1) words[words.length - 1] += word
      else words.push((before = word))
    }
  }
  const counted = words.filter((word) => word !== 'and')
  return nameOf(counted.length ? counted : words, table)
}

// Sets of the legal forms of a table, made once.
const sets = new WeakMap()

function formsIn(names) {
  if (!sets.has(names)) {
    const { last, first, before } = names.forms
    sets.set(names, { last: new Set(last), first: new Set(first), before: new Set(before) })
  }
  return sets.get(names)
}

// Where the words of a name are without its legal form: [the number of words before it, where it may end, the longest first,
// whether there are no other words].
function spanOf(words, names) {
  const { last, first, before } = formsIn(names)
  // The number of words of a legal form, the longest.
  const sizeOfForm = (most, isForm) => {
    let size = Math.min(names.forms.words, most)
    while (size > 0 && !isForm(size)) size--
    return size
  }
  let end = words.length
  let follows = false
  const ends = [end]
  while (end) {
    const size = sizeOfForm(end, (n) => last.has(words.slice(end - n, end).join(' ')))
    if (!size && !(follows && before.has(words[end - 1]))) break
    end -= size || 1
    follows = size > 0
    ends.push(end)
  }
  const start = sizeOfForm(words.length, (n) => first.has(words.slice(0, n).join(' ')))
  const empty = end <= Math.max(start, words[0] === 'the' ? 1 : 0)
  return [empty ? 0 : start, ends, empty]
}

// All words of a name, those without legal forms and a first `the`, and these abbreviated; `stems` are the texts that the name
// may be without a legal form, or with a part of it.
export function nameOf(words, { names }) {
  const { short } = names
  const [first, ends, empty] = spanOf(words, names)
  const start = first || (words.length > 1 && words[0] === 'the' ? 1 : 0)
  const within = ends.filter((end) => end > start)
  const core = words.slice(start, within.length ? within[within.length - 1] : start)
  const stems = empty ? [] : [0, first].flatMap((at) => ends.map((end) => words.slice(at, end).join(' ')))
  const abbreviated = core.map((word) => (Object.prototype.hasOwnProperty.call(short, word) ? short[word] : word))
  return { words, core, joined: core.join(''), short: abbreviated, stems }
}

// Whether two names are the same without their legal forms; not if nothing else is left.
export const differInForm = (asked, known) => asked.stems.some((stem) => known.stems.includes(stem))

// Whether a name, without its brackets, ends with a word that is written as a word and not as a legal form.
export const isOrdinary = (text, table) => new RegExp(`${table.names.forms.ordinary}$`).test([text, ...beforeBrackets(text, table)].pop())

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
  const sameCore = asked.core.join(' ') === known.core.join(' ') && asked.words[0] === known.words[0]
  if (sameCore || differInForm(asked, known)) return [core, 'legal_form']
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

// The score of the words that two names have in common, in any order: by their share of each name. A word that is one edit away
// counts four fifths, and so does one that begins the other, beside a rare word in common. If names have rare words, but none in
// common, they are not alike.
function inCommon(asked, known, names) {
  const left = [...known.short]
  let rest = asked.short
  let [first, second, rare] = [0, 0, false]
  const isCommon = (word) => isWord(names.common, word)
  const weight = (word) => sizeOf(word) * (isCommon(word) ? 1 : 4)
  const count = (points, isAlike) => {
    rest = rest.filter((word) => {
      const i = left.findIndex((other) => isAlike(word, other, names))
      if (i < 0) return true
      first += points * weight(word)
      second += points * weight(left.splice(i, 1)[0])
      rare ||= !isCommon(word) && word !== asked.end
      return false
    })
  }
  count(5, (word, other) => word === other)
  count(4, isEdited)
  if (rare) count(4, isBegun)
  else if (!first || [...asked.short, ...known.short].some((word) => !isCommon(word))) return 0
  const sum = (words) => words.reduce((total, word) => total + weight(word), 0)
  const share = (matched, words) => Math.floor((100 * matched) / (5 * sum(words)))
  const shares = [share(first, asked.short), share(second, known.short)]
  return Math.floor((20 * (shares[0] + shares[1]) + (names.scores.some - 40) * Math.max(...shares)) / 100)
}

const isEdited = (word, other, { edits }) => Math.max(sizeOf(word), sizeOf(other)) > edits[0] && isMisspelt([...word], [...other], 1)

function isBegun(word, other, { least }) {
  const [shorter, longer] = sizeOf(other) < sizeOf(word) ? [other, word] : [word, other]
  return sizeOf(shorter) >= least.begun && longer.startsWith(shorter)
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
