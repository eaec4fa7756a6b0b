// Sends requests in turn to the worker of an R2 bucket while the bucket and the clock change.
//
// stdin   {"script": path, "steps": [{"objects": {key: text, or null to remove} or absent, "fails": boolean or absent,
//         "later": seconds or absent, "target": path, "headers": {...} or absent, "method": text or absent}, ...]}
// stdout  [{status, headers, text, reads: requested keys}, ...]
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const { script, steps } = JSON.parse(readFileSync(0, 'utf8'))
const objects = new Map()
let [now, fails, reads] = [Date.now(), false, []]
Date.now = () => now

function found(key, body, { offset, length } = { offset: 0 }) {
  if (fails) throw new Error('a part of the network is down')
  reads.push(key)
  if (!objects.has(key)) return null
  const text = objects.get(key)
  const writeHttpMetadata = (headers) => headers.set('content-type', 'text/plain')
  const known = { size: text.length, httpEtag: `"${text.length}"`, writeHttpMetadata }
  return body ? { ...known, body: text.slice(offset, offset + (length ?? text.length)), text: async () => text } : known
}

const env = { BUCKET: { get: async (key, { range } = {}) => found(key, true, range), head: async (key) => found(key, false) }, PREFIX: 'of/me' }
const { default: worker } = await import(pathToFileURL(script))
const answers = []
for (const { objects: changed = {}, fails: failing = false, later = 0, target, headers, method } of steps) {
  for (const [key, text] of Object.entries(changed)) text === null ? objects.delete(key) : objects.set(key, text)
  ;[now, fails, reads] = [now + later * 1000, failing, []]
  const answer = await worker.fetch(new Request(`https://registry.example.org${target}`, { method, headers }), env)
  answers.push({ status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text(), reads })
}
process.stdout.write(JSON.stringify(answers))
