// Texts: how they are folded, their words, and whether one may be searched for.

// How texts are folded: `table.folding`, which generator/api/folding.py tells, unpacked when a text beyond ASCII is asked for.
let folding

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
  return { folds, composed: bounds(packed.composed), letters: bounds(packed.letters) }
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

// NFKD without combining marks, case folded; the same as generator.api.text.fold.
export function fold(text, table) {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  folding ??= unpackedFolding(table.folding)
  const one = (character) => folding.folds.get(character.codePointAt(0)) ?? character
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)
    if (code < 128) return character.toLowerCase()
    if (folding.folds.has(code) || !within(folding.composed, code)) return one(character)
    return Array.from(character.normalize('NFKD'), one).join('')
  }).join('')
}

// Runs of letters and digits of the folded text, in order, repeats kept.
export function wordsOf(text, table) {
  const known = (character) => {
    const code = character.codePointAt(0)
    return code < 128 ? /[a-z0-9]/.test(character) : within(folding.letters, code)
  }
  const spaced = Array.from(fold(text, table), (character) => (known(character) ? character : ' '))
  return spaced.join('').split(' ').filter(Boolean)
}

export function textOf(raw, table) {
  const { characters, words } = table.text
  const broken = /%(?![0-9A-Fa-f]{2})/g
  let text
  try {
    text = decodeURIComponent(raw.replace(/\+/g, ' ').replace(broken, '%25'))
  } catch {
    text = '\ufffd'
  }
  // It stands for bytes that are no text, which some hosts replace before they ask.
  if (text.includes('\ufffd')) return { fault: 'q is not percent-encoded UTF-8.' }
  if (raw.search(broken) >= 0 || [...text].length > characters) {
    return { fault: `q is percent-encoded text of at most ${characters} characters.` }
  }
  const count = wordsOf(text, table).length
  return count >= 1 && count <= words ? { text } : { fault: `q has 1 to ${words} words of letters and digits.` }
}
