// stdin   lines of {"source": folder of modules, "folding": the table of generator.text.folding, "kinds": {collection: kind}, "mcp": {"lists": {collection: {"filters": {name: label}}}}, "asked": [[schema, JSON of arguments], ...]}
// stdout  for each [[arguments], ...]: what the arguments mean, null if they are refused
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { source, asked, ...table } = JSON.parse(line)
  const { checked } = await import(`${source}/arguments.mjs`)
  const { encoded, parsed } = await import(`${source}/texts.mjs`)
  const meant = ([schema, text]) => {
    try {
      return checked(parsed(text), schema, table)
    } catch (error) {
      if (!('code' in error)) throw error
      return null
    }
  }
  console.log(encoded(asked.map(meant)))
}
