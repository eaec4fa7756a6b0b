// stdin   {"sources": folder of folding.mjs, "folding": the table of generator.text.folding, "texts": [text, ...], "every": bool}
// stdout  {"texts": [[folded, folded as a name, words, runs, words of a query, words in the index in German, in other languages, words of a
//            name, singulars of each word], ...],
//          "characters": [[code point, folded, words, folded as a name], ...]}
//
// If `every` is set, `characters` has every code point that folds to another text than itself, or is part of a word.
import { readFileSync } from 'node:fs'

const { sources, texts, every, ...table } = JSON.parse(readFileSync(0, 'utf8'))
const { fold, foldName, queryWordsOf, runsOf, singularsOf, wordsOf } = await import(`${sources}/folding.mjs`)
const { indexWordsOf, nameWordsOf } = await import(`${sources}/more/words.mjs`)

const all = (text) => [
  fold(text, table), foldName(text, table), wordsOf(text, table), runsOf(text, table), queryWordsOf(text, table),
  indexWordsOf(text, table, 'de'), indexWordsOf(text, table), nameWordsOf(text, table),
  wordsOf(text, table).map((word) => singularsOf(word, 'en')),
]
const characters = []
for (let code = 0; every && code <= 0x10ffff; code++) {
  if (code >= 0xd800 && code < 0xe000) continue
  const text = String.fromCodePoint(code)
  const found = [fold(text, table), wordsOf(text, table), foldName(text, table)]
  if (found[0] !== text || found[1].length) characters.push([code, ...found])
}
console.log(JSON.stringify({ texts: texts.map(all), characters }))
