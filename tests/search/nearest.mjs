// stdin   {"module": path of nearest.mjs, "folding": the table of generator.text.folding, "asked": [[[text, ...], [[value, label], ...]], ...]}
// stdout  [[value, ...], ...]: what is nearest to the texts
import { readFileSync } from 'node:fs'

const { module, asked, ...table } = JSON.parse(readFileSync(0, 'utf8'))
const { nearestOfEach } = await import(module)
console.log(JSON.stringify(asked.map(([texts, known]) => nearestOfEach(texts, known, table))))
