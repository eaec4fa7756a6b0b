// stdin   lines of {"module": path of nearest.mjs, "folding": the table of generator.text.folding, "asked": [[[text, ...], [[value, label], ...]], ...]}
// stdout  for each [[value, ...], ...]: what is nearest to the texts
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { module, asked, ...table } = JSON.parse(line)
  const { nearestOfEach } = await import(module)
  console.log(JSON.stringify(asked.map(([texts, known]) => nearestOfEach(texts, known, table))))
}
