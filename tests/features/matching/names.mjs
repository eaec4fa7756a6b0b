// stdin   lines of {"module": path of names.mjs, "table": part of the table} with "site", a text, "read", a question, "asked" and
//         "known", names, or "asked" and "letters", the letters of a key
// stdout  for each the host and path of the text, the words of the names that the question may mean, the score of the names, or
//         the keys of the name
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
  const { module, table, site, read, asked, known, letters } = JSON.parse(line)
  const { askedIn, compare, keysOf, nameIn, siteOf } = await import(module)
  const name = (text) => nameIn(text, table)
  const answer = () => {
    if (site !== undefined) return siteOf(site, table)
    if (read !== undefined) return askedIn(read, table).map(({ words }) => words)
    return known ? compare(name(asked), name(known), table) : keysOf(name(asked), letters, new Set(), table)
  }
  console.log(JSON.stringify(answer()))
}
