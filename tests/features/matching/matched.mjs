// Answers requests with a build's own _worker.js, over the files of a folder.
//
// stdin   {"site": folder, "requests": [[method, target, body or null], ...]}
// stdout  [{status, headers, body, reads}, ...]; `reads` is the number of files that were read
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ORIGIN = 'http://registry.test'
const { site, requests } = JSON.parse(readFileSync(0, 'utf8'))
const code = readFileSync(join(site, '_worker.js'), 'utf8')
const { default: worker } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)

const answers = []
for (const [method, target, body] of requests) {
  let reads = 0
  const assets = async ({ url }) => {
    reads++
    const file = await readFile(join(site, new URL(url).pathname)).catch(() => null)
    return new Response(file ?? 'none', { status: file ? 200 : 404 })
  }
  const request = new Request(ORIGIN + target, { method, body: body ?? undefined })
  const answer = await worker.fetch(request, { ASSETS: { fetch: assets } })
  answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text(), reads })
}
console.log(JSON.stringify(answers))
