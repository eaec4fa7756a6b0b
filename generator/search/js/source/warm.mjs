// Calls the functions of the engine when a script starts, so that the first query of an isolate finds them compiled.
import { crc32 } from './bytes.mjs'
import { forget } from './reader.mjs'
import { resolve } from './resolve.mjs'
import { search } from './search.mjs'

// So many bytes are checked that engines compile the loop to machine code.
const CHECKED = 2 ** 15

// Answer the queries of a sample (generator/engine/scripts.py) from its files, and forget them again.
export async function warm({ root, lists, columns, queries, files }, table) {
  const own = { ...table, prefix: '', lists, tags: [], index: { ...table.index, columns } }
  const read = async (path) => (files[path] ? Uint8Array.from(atob(files[path]), (letter) => letter.charCodeAt(0)) : null)
  crc32(new Uint8Array(CHECKED))
  for (const raw of queries) {
    await search(resolve('GET', root, raw, own).query, read, own)
    forget()
  }
}
