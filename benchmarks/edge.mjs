// Answers a question twice with a script for Cloudflare, in a process that has only used fetch before:
// node benchmarks/edge.mjs WORKER BUILD TARGET
// stdout  the milliseconds of CPU of the import, of the first and of the second answer, as JSON
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const [worker, out, target] = process.argv.slice(2)
const ORIGIN = 'https://registry.example.org'

async function asset(request) {
  try {
    return new Response(await readFile(join(resolve(out), new URL(request.url).pathname)))
  } catch {
    return new Response(null, { status: 404 })
  }
}

const times = []
async function measured(step) {
  const before = process.cpuUsage()
  const result = await step()
  const { user, system } = process.cpuUsage(before)
  times.push((user + system) / 1000)
  return result
}

const request = () => new Request(ORIGIN + target)
await (await asset(new Request(`${ORIGIN}/robots.txt`, { headers: new Headers(request().headers) }))).arrayBuffer()
const { default: script } = await measured(() => import(pathToFileURL(worker)))
const answer = async () => (await script.fetch(request(), { ASSETS: { fetch: asset } })).arrayBuffer()
await measured(answer)
await measured(answer)
console.log(JSON.stringify(times))
