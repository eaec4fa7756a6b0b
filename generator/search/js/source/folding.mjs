// Fold texts, split them into words, and check search texts.

// The unpacked `table.folding` (generator/text/folding.py); unpacked when the first text beyond ASCII is folded.
let folding

// A text beyond ASCII cannot be folded, because `table.folding` only names a file.
export class Unfolded extends Error {}

function unpackedFolding(packed) {
  const numbers = (text, between) => (text ? text.split(between).map((number) => parseInt(number, 36)) : [])
  const bounds = (text) => Uint32Array.from(numbers(text, ' '), ((at) => (gap) => (at += gap))(0))
  const folds = new Map()
  let code = 0
  for (const run of packed.folds.split(';')) {
    const [, gap, count, second, sign, to] = /^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(run)
    const codes = numbers(to, '+')
    code += parseInt(gap, 36)
    for (let i = 0, one = code; i < parseInt(count || '1', 36); i++, one += second ? 2 : 1) {
      folds.set(one, String.fromCodePoint(...(sign === '=' ? codes : [one + codes[0]])))
    }
  }
  const { composed, letters, signs, paired } = packed
  return { folds, composed: bounds(composed), letters: bounds(letters), signs: bounds(signs), paired: bounds(paired) }
}

// Whether a code point is inside of one of the ranges: whether the number of bounds up to it is odd.
function within(bounds, code) {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bounds[middle] <= code) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}

const isAscii = (text) => !/[^\0-\x7f]/.test(text)

// The mark of a letter that is spelled out: a stroke.
const SPELLED = '\u0338'

// NFKD without combining marks, case folded; the same as generator.text.words.fold. `shown(character, folded)` can give
// another text for a folded character.
export function fold(text, table, shown = (_, folded) => folded) {
  if (isAscii(text)) return text.toLowerCase()
  if (!table.folding.folds) throw new Unfolded()
  folding ??= unpackedFolding(table.folding)
  const one = (character) => shown(character, folding.folds.get(character.codePointAt(0)) ?? character)
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)
    if (code < 128) return character.toLowerCase()
    if (folding.folds.has(code) || !within(folding.composed, code)) return one(character)
    return Array.from(character.normalize('NFKD'), one).join('')
  }).join('')
}

// A name in small letters with all of its marks and signs; the same as generator.text.words.fold_name.
export function foldName(name, table) {
  const withMark = (character, folded) => {
    if (character.codePointAt(0) < 128) return character.toLowerCase()
    if (/[^\0-\x7f]/.test(folded)) return folded
    return folded ? folded + SPELLED : character
  }
  const parts = fold(name, table, withMark).split(' ')
  return parts.filter((part) => part).join(' ')
}

// Runs of letters and digits of the folded text, in order, repeats kept; the same as generator.text.words.split_runs.
export const runsOf = (text, table) => runsIn(spaced(text, table))

// The same without elided articles, as a query looks for them.
export const queryRunsOf = (q, table) => runsIn(spaced(q, table).replace(WITH_APOSTROPHES, (word) => word.replace(ARTICLE, '')))

export const LETTER = '[^\\0-/:-@\\[-`{-\\x7f]'
export const WITH_APOSTROPHES = new RegExp(`${LETTER}+(?:'${LETTER}+)+`, 'g')
// An elided article of French, Italian or names, at the start of a word with apostrophes.
export const ARTICLE = new RegExp(
  "^(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|dell|dall|nell|sull|coll|all|quest|quell|sant|un|b)'" +
    `(?=(?:(?![0-9])${LETTER}){2})`,
)

export function runsIn(spaced) {
  const words = withoutApostrophes(spaced).split(/[\0-/:-`{-\x7f]+/).filter((word) => word)
  return isAscii(spaced) ? words : words.flatMap(stretches)
}

// A folded text with spaces for characters beyond ASCII that are no letters, and with one kind of apostrophes.
export function spaced(text, table) {
  const shown = (character) => {
    const code = character.codePointAt(0)
    if (code === 0x27 || code === 0x2019) return "'"
    return (code < 128 ? /[a-z0-9]/.test(character) : within(folding.letters, code)) ? character : ' '
  }
  return fold(text, table, (_, folded) => Array.from(folded, shown).join(''))
}

// A single apostrophe is removed: it is between two letters, or beside a character that separates words anyway.
export const withoutApostrophes = (text) => text.replace(/''+/g, ' ').replace(/'/g, '')

// Split a word where a script without spaces begins or ends; empty if the word has only vowel signs.
function stretches(word) {
  const found = []
  let before
  if (Array.from(word).every(isSign)) return found
  for (const character of word) {
    const now = isPaired(character.codePointAt(0))
    if (now === before) found.push(found.pop() + character)
    else found.push(character)
    before = now
  }
  return found
}

export const isSign = (character) => character.codePointAt(0) > 127 && within(folding.signs, character.codePointAt(0))

export const isPaired = (code) => code > 127 && within(folding.paired, code)

// The words of a run: those of scripts without spaces are overlapping pairs of letters.
export function wordsOfRun(run) {
  const letters = Array.from(run)
  if (letters.length < 3 || !isPaired(letters[0].codePointAt(0))) return [run]
  return letters.slice(1).map((letter, i) => letters[i] + letter)
}

// The words of a text; the same as generator.text.words.split_words.
export const wordsOf = (text, table) => runsOf(text, table).flatMap(wordsOfRun)

// The words that a query looks for; the same as generator.text.words.query_words.
export const queryWordsOf = (q, table) => queryRunsOf(q, table).flatMap(wordsOfRun)

// The possible singulars of an English plural; none in other languages.
export function singularsOf(word, language) {
  if (!/^en(-|$)/.test(language) || [...word].length < 4 || !/[^s]s$/.test(word)) return []
  const found = [word.slice(0, -1)]
  if (word.endsWith('es')) found.push(word.slice(0, -2))
  if (word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`)
  return found
}

// Decode the text of the parameter `name`: { text }, or { fault } if it is not valid.
export function textOf(raw, name, table) {
  const { characters, words } = table.text
  const broken = /%(?![0-9A-Fa-f]{2})/g
  let text
  try {
    text = decodeURIComponent(raw.replace(/\+/g, ' ').replace(broken, '%25'))
  } catch {
    text = '\ufffd'
  }
  // U+FFFD stands for bytes that are not UTF-8; some hosts put it there.
  if (text.includes('\ufffd')) return { fault: `${name} must be percent-encoded UTF-8.` }
  if (raw.search(broken) >= 0 || [...text].length > characters) {
    return { fault: `${name} must be percent-encoded text of at most ${characters} characters.` }
  }
  const count = runsOf(text, table).length
  return count >= 1 && count <= words ? { text } : { fault: `${name} takes 1 to ${words} words of letters and digits.` }
}
