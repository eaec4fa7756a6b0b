// Runs a worker in workerd, with the files of a site by its wrangler configuration, or with a bucket of R2.
//
// argument  JSON file: {"config": path of a wrangler.jsonc}, or
//           {"script": path, "prefix": text, "objects": [[key, file, headers], ...]}
// stdout    the worker's address; the process ends when its standard input closes
import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'

const { config, script, prefix, objects = [] } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { main, workerOptions } = config
  ? (await import('wrangler')).unstable_getMiniflareWorkerOptions(config)
  : { main: script, workerOptions: { compatibilityDate: '2025-10-01', r2Buckets: ['BUCKET'], bindings: { PREFIX: prefix } } }
const worker = new Miniflare({
  ...workerOptions,
  modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(main, 'utf8') }],
  // Bypasses Miniflare's entry worker.
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  cf: false,
})
const bucket = objects.length && (await worker.getR2Bucket('BUCKET'))
const put = ([key, file, headers]) =>
  bucket.put(key, new Uint8Array(readFileSync(file)), { httpMetadata: { contentType: headers['Content-Type'], cacheControl: headers['Cache-Control'] } })
for (let first = 0; first < objects.length; first += 50) await Promise.all(objects.slice(first, first + 50).map(put))
process.stdout.write(`${await worker.unsafeGetDirectURL()}\n`)
process.stdin.resume()
process.stdin.on('end', async () => {
  await worker.dispose()
  process.exit()
})
