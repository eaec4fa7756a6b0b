// stdin   lines of {"module": path of suggest.mjs, "files": [text, ...], "numbers": [number, ...], "words": [word, ...],
//         "queries": [[words, frequencies], ...]}
// stdout  for each {"places": [[files of each word for each number], ...], "queries": [[query, ...], ...]}
import { createInterface } from 'node:readline'

const sorted = (found) => [...new Set(found)].sort((a, b) => a - b)

for await (const line of createInterface({ input: process.stdin })) {
  const { module, files, numbers, words, queries } = JSON.parse(line)
  const suggest = await import(module)
  const known = suggest.wordsIn(files.map((text) => new TextEncoder().encode(text)))
  console.log(
    JSON.stringify({
      places: words.map((word) => numbers.map((number) => sorted(suggest.places(word, number)))),
      queries: queries.map(([asked, frequencies]) => suggest.queries(asked, known, frequencies)),
    }),
  )
}
