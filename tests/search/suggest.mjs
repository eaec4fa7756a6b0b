// stdin   {"module": path of suggest.mjs, "files": [text, ...], "numbers": [number, ...], "asked": [[words, frequencies], ...]}
// stdout  {"places": [[files of each word for each number], ...], "queries": [[query, ...], ...]}
import { readFileSync } from 'node:fs'

const { module, files, numbers, asked } = JSON.parse(readFileSync(0, 'utf8'))
const { places, queries, wordsIn } = await import(module)

const known = wordsIn(files.map((text) => new TextEncoder().encode(text)))
const sorted = (found) => [...new Set(found)].sort((a, b) => a - b)
console.log(
  JSON.stringify({
    places: asked.map(([words]) => words.map((word) => numbers.map((number) => sorted(places(word, number))))),
    queries: asked.map(([words, frequencies]) => queries(words, known, frequencies)),
  }),
)
