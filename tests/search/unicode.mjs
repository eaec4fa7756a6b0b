// What the Unicode of this Node says of every character, for the table in generator/text/folding.json.
//
// stdout  {"unicode": version, "characters": [[code point, decomposed, folded, is a letter or digit, is a vowel sign], ...]}
//
// `characters` has every code point that is assigned: `decomposed` is its NFKD, `folded` that without combining marks,
// case folded.

// Full case folding where it is not the lower case of a character: first and last code point, and what is added or put in
// their place.  Only of characters that NFKD leaves as they are.
const FOLDS = [
  [0xdf, 0xdf, 'ss'], [0x3c2, 0x3c2, 1], [0x13a0, 0x13f5, 0], [0x13f8, 0x13fd, -8], [0x1c80, 0x1c80, -6222],
  [0x1c81, 0x1c81, -6221], [0x1c82, 0x1c82, -6212], [0x1c83, 0x1c84, -6210], [0x1c85, 0x1c85, -6211], [0x1c86, 0x1c86, -6204],
  [0x1c87, 0x1c87, -6180], [0x1c88, 0x1c88, 35267], [0x1e9e, 0x1e9e, 'ss'], [0xab70, 0xabbf, -38864],
]

// One character at a time: the lower case of a text has a sigma of its own at the end of words.
function foldCase(character) {
  const code = character.codePointAt(0)
  const found = FOLDS.find(([first, last]) => first <= code && code <= last)
  if (!found) return character.toLowerCase()
  return typeof found[2] === 'string' ? found[2] : String.fromCodePoint(code + found[2])
}

// Whether a mark has a combining class: then it changes places with a mark of a lower or a higher one.
function combines(mark) {
  const [low, high] = ['\u0334', '\u0345']
  return (mark + low).normalize('NFD') !== mark + low || (high + mark).normalize('NFD') !== high + mark
}

const characters = []
for (let code = 0; code <= 0x10ffff; code++) {
  const character = String.fromCodePoint(code)
  if (/[\p{Cn}\p{Cs}]/u.test(character)) continue
  const decomposed = character.normalize('NFKD')
  const [letter, mark] = [/[\p{L}\p{N}]/u.test(character), /\p{M}/u.test(character)]
  const bare = decomposed.replace(/\p{M}/gu, (mark) => (combines(mark) ? '' : mark))
  characters.push([code, decomposed, Array.from(bare, foldCase).join(''), letter, mark && !combines(character)])
}
console.log(JSON.stringify({ unicode: process.versions.unicode, characters }))
