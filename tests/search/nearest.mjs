// stdin   {"module": path of nearest.mjs, "folding": the table of generator.text.folding, "asked": [[text, [[value, label], ...]], ...]}
// stdout  [[value, ...], ...]: what is nearest to each text
import { readFileSync } from 'node:fs'

const { module, asked, ...table } = JSON.parse(readFileSync(0, 'utf8'))
const { nearest } = await import(module)
console.log(JSON.stringify(asked.map(([text, known]) => nearest(text, known, table))))
