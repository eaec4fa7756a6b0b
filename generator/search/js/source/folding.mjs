// Texts: how they are folded, their words, and whether one may be searched for.

// How texts are folded: `table.folding`, which generator/grammar/folding.py tells, unpacked when a text beyond ASCII is asked for.
let folding

// A text beyond ASCII, and `table.folding` only says where the rest of it is.
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

// Whether a code point is inside of bounds: whether as many of them as it reaches is odd.
function within(bounds, code) {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bounds[middle] <= code) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}

// NFKD without combining marks, case folded; the same as generator.grammar.text.fold.
export function fold(text, table) {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  if (!table.folding.folds) throw new Unfolded()
  folding ??= unpackedFolding(table.folding)
  const one = (character) => folding.folds.get(character.codePointAt(0)) ?? character
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)
    if (code < 128) return character.toLowerCase()
    if (folding.folds.has(code) || !within(folding.composed, code)) return one(character)
    return Array.from(character.normalize('NFKD'), one).join('')
  }).join('')
}

// Runs of letters and digits of the folded text, in order, repeats kept; the same as generator.grammar.text.runs.
export function runsOf(text, table) {
  const shown = (character) => {
    const code = character.codePointAt(0)
    if (code === 0x27 || code === 0x2019) return "'"
    return (code < 128 ? /[a-z0-9]/.test(character) : within(folding.letters, code)) ? character : ' '
  }
  // An apostrophe that is not beside another is between two letters, or beside what parts words anyway.
  const spaced = Array.from(fold(text, table), shown).join('').replace(/''+/g, ' ').replace(/'/g, '')
  return spaced.split(' ').flatMap(stretches)
}

// The parts of a word by whether their letters are of scripts without spaces; none of one that has nothing but vowel signs.
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

const isSign = (character) => character.codePointAt(0) > 127 && within(folding.signs, character.codePointAt(0))

const isPaired = (code) => code > 127 && within(folding.paired, code)

// Likewise, with letters of scripts without spaces as their overlapping pairs; the same as generator.grammar.text.words.
export function wordsOf(text, table) {
  return runsOf(text, table).flatMap((run) => {
    const letters = Array.from(run)
    if (letters.length < 3 || !isPaired(letters[0].codePointAt(0))) return [run]
    return letters.slice(1).map((letter, i) => letters[i] + letter)
  })
}

// What an English plural may be the plural of.
export function singularsOf(word) {
  if ([...word].length < 4 || !/[^s]s$/.test(word)) return []
  const found = [word.slice(0, -1)]
  if (word.endsWith('es')) found.push(word.slice(0, -2))
  if (word.endsWith('ies')) found.push(`${word.slice(0, -3)}y`)
  return found
}

// The text of the parameter `name` as { text }, or what is wrong with it as { fault }.
export function textOf(raw, name, table) {
  const { characters, words } = table.text
  const broken = /%(?![0-9A-Fa-f]{2})/g
  let text
  try {
    text = decodeURIComponent(raw.replace(/\+/g, ' ').replace(broken, '%25'))
  } catch {
    text = '\ufffd'
  }
  // It stands for bytes that are no text, which some hosts replace before they ask.
  if (text.includes('\ufffd')) return { fault: `${name} must be percent-encoded UTF-8.` }
  if (raw.search(broken) >= 0 || [...text].length > characters) {
    return { fault: `${name} must be percent-encoded text of at most ${characters} characters.` }
  }
  const count = runsOf(text, table).length
  return count >= 1 && count <= words ? { text } : { fault: `${name} takes 1 to ${words} words of letters and digits.` }
}
