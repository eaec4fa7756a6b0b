// Answers requests to a worker of Cloudflare in node, with a stub of its files.
//
// stdin, a line   {"script": path of a module, "site": folder, "requests": [[method, target, headers, body or null], ...]}
// stdout, a line  [{status, headers, text}, ...]
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const ORIGIN = 'https://registry.example.org'

async function asset(site, { url, method }) {
  if (method !== 'GET' && method !== 'HEAD') return new Response(null, { status: 405 })
  const body = await readFile(join(site, decodeURIComponent(new URL(url).pathname))).catch(() => null)
  return new Response(body, { status: body ? 200 : 404 })
}

for await (const line of createInterface({ input: process.stdin })) {
  const { script, site, requests } = JSON.parse(line)
  const { default: worker } = await import(pathToFileURL(script))
  const env = { ASSETS: { fetch: (request) => asset(site, request) } }
  const answers = []
  for (const [method, target, headers, body] of requests) {
    const answer = await worker.fetch(new Request(ORIGIN + target, { method, headers, body }), env)
    answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() })
  }
  process.stdout.write(`${JSON.stringify(answers)}\n`)
}
