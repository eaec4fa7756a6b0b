// stdin   lines of {"module": path of names.mjs, "table": part of the table} with "site", a text, "asked" and "known", names, or
//         "asked" and "letters", the letters of a key
// stdout  for each the host and path of the text, the score of the names, or the keys of the name
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { module, table, site, asked, known, letters } = JSON.parse(line)
  const { compare, keysOf, nameIn, siteOf } = await import(module)
  const name = (text) => nameIn(text, table)
  const found = site !== undefined ? siteOf(site, table) : known ? compare(name(asked), name(known), table) : keysOf(name(asked), letters, new Set(), table)
  console.log(JSON.stringify(found))
}
