// stdin   lines of {"source": folder of modules, "folding": the table of generator.text.folding, "asked": [[schema, JSON of arguments], ...]}
// stdout  for each [bool, ...]: whether the arguments are accepted
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { source, asked, ...table } = JSON.parse(line)
  const { checked } = await import(`${source}/arguments.mjs`)
  const { parsed } = await import(`${source}/texts.mjs`)
  const isAccepted = ([schema, text]) => {
    try {
      checked(parsed(text), schema, table)
      return true
    } catch (error) {
      if (!('code' in error)) throw error
      return false
    }
  }
  console.log(JSON.stringify(asked.map(isAccepted)))
}
