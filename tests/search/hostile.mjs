// Answers a query from files that are other than a build wrote them.
//
// stdin   {"script": text of search.js, "site": folder, "targets": [target, ...], "cases": [{path: Base64}, ...]}
// stdout  [[status, body in Base64], ...], of each case every target
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const { script, site, targets, cases } = JSON.parse(readFileSync(0, 'utf8'))
const code = script.replace('import.meta.url', "'https://registry.invalid/api/search.js'")
const { ask } = await import(`data:text/javascript,${encodeURIComponent(code)}`)

const answers = []
for (const changed of cases) {
  const read = (path) => (path in changed ? Buffer.from(changed[path], 'base64') : readFile(join(site, path)).catch(() => null))
  for (const target of targets) {
    const answer = await ask(target, async (path) => {
      const body = await read(path)
      return new Response(body ?? 'none', { status: body === null ? 404 : 200 })
    })
    answers.push([answer.status, Buffer.from(await answer.arrayBuffer()).toString('base64')])
  }
}
console.log(JSON.stringify(answers))
