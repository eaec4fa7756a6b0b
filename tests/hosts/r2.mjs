// Runs the worker of an R2 bucket in workerd, with a bucket that has some objects.
//
// arguments  JSON file: {"script": path, "prefix": text, "objects": [[key, file, headers], ...]}
// stdout     the address that it answers at; it ends with its standard input
import { readFileSync } from 'node:fs'
import { Miniflare } from 'miniflare'

const { script, prefix, objects } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const worker = new Miniflare({
  modules: [{ type: 'ESModule', path: 'worker.js', contents: readFileSync(script, 'utf8') }],
  compatibilityDate: '2025-10-01',
  r2Buckets: ['BUCKET'],
  bindings: { PREFIX: prefix },
  host: '127.0.0.1',
  port: 0,
  cf: false,
})
const bucket = await worker.getR2Bucket('BUCKET')
const put = ([key, file, headers]) =>
  bucket.put(key, new Uint8Array(readFileSync(file)), { httpMetadata: { contentType: headers['Content-Type'], cacheControl: headers['Cache-Control'] } })
for (let first = 0; first < objects.length; first += 50) await Promise.all(objects.slice(first, first + 50).map(put))
process.stdout.write(`${await worker.ready}\n`)
process.stdin.resume()
process.stdin.on('end', async () => {
  await worker.dispose()
  process.exit()
})
