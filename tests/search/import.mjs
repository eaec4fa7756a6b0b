// Imports a module from where it is published, as a browser does, and answers with what it exports.
//
// stdin   {"module": URL, "targets": [target, ...]}
// stdout  [{status, body}, ...]
// Run with --experimental-vm-modules: node imports nothing over HTTP by itself.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'

const { module, targets } = JSON.parse(readFileSync(0, 'utf8'))
const context = vm.createContext({ URL, fetch, Request, Response, Headers, TextDecoder, TextEncoder, atob })

async function load(url) {
  const loaded = new vm.SourceTextModule(await (await fetch(url)).text(), {
    context,
    identifier: url,
    initializeImportMeta: (meta) => (meta.url = url),
    importModuleDynamically: (path) => load(new URL(path, url).href),
  })
  await loaded.link(() => {
    throw new Error('it has no imports that are read before it runs')
  })
  await loaded.evaluate()
  return loaded
}

const loaded = await load(module)
const answers = []
for (const target of targets) {
  const answer = await loaded.namespace.ask(target)
  answers.push({ status: answer.status, body: await answer.text() })
}
console.log(JSON.stringify(answers))
