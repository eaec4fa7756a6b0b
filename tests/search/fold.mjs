// stdin   {"module": path of folding.mjs, "folding": the table of generator.api.folding, "texts": [text, ...]}
// stdout  {"texts": [[folded, words], ...], "characters": [[code point, folded, words], ...]}
//
// `characters` has every code point that folds to another text than itself, or is part of a word.
import { readFileSync } from 'node:fs'

const { module, texts, ...table } = JSON.parse(readFileSync(0, 'utf8'))
const { fold, wordsOf } = await import(module)

const both = (text) => [fold(text, table), wordsOf(text, table)]
const characters = []
for (let code = 0; code <= 0x10ffff; code++) {
  if (code >= 0xd800 && code < 0xe000) continue
  const text = String.fromCodePoint(code)
  const found = both(text)
  if (found[0] !== text || found[1].length) characters.push([code, ...found])
}
console.log(JSON.stringify({ texts: texts.map(both), characters }))
