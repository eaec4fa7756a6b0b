// Our JavaScript engine as a process that is asked questions, as engine.py is: node benchmarks/engine.mjs OUT
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { serve } from './serve.mjs'

const out = resolve(process.argv[2])
const { ask } = await import(join(out, 'api/search.js'))
const read = async (path) => new Response(await readFile(join(out, path)))

await serve(async ({ target }) => new Uint8Array(await (await ask(target, read)).arrayBuffer()))
