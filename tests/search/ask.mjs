// Answers query URLs with a build's own search.js, loaded anew for each line, over the files of a folder.
//
// stdin   lines of {"script": its text, "site": folder, "targets": [target, ...], "changed": {path: [text or null, ...]}, "together": bool}
// stdout  for each [{status, headers, body, reads}, ...]; `reads` are the paths of the files that were read
//
// A path of `changed` gives these texts one after the other, null for no file, before the file itself; one text in a list of
// its own is given always.  `together` asks all at once.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

async function answers({ script, site, targets, changed = {}, together = false }, number) {
  // What it makes of the module's address is not asked for: files are given. It imports the second script of the folder.
  const beside = `file:"${pathToFileURL(join(site, 'api'))}/`
  const code = script.replace('import.meta.url', "'https://registry.invalid/api/search.js'").replace('file:"./', beside)
  const { ask } = await import(`data:text/javascript,${encodeURIComponent(code)}#${number}`)

  async function read(path) {
    const instead = changed[path] ?? []
    if (Array.isArray(instead[0])) return instead[0][0]
    return instead.length ? instead.shift() : readFile(join(site, path)).catch(() => null)
  }

  async function one(target) {
    const reads = []
    const answer = await ask(target, async (path) => {
      reads.push(path)
      const body = await read(path)
      return new Response(body ?? 'none', { status: body === null ? 404 : 200 })
    })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text(), reads }
  }

  if (together) return Promise.all(targets.map(one))
  const found = []
  for (const target of targets) found.push(await one(target))
  return found
}

let number = 0
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answers(JSON.parse(line), ++number)))
}
