// Imports a module from where it is published, as a browser does, and answers with what it exports.
//
// stdin   {"module": URL, "targets": [target, ...]}
// stdout  [{status, body}, ...]
// Run with --experimental-vm-modules: node imports nothing over HTTP by itself.
import { readFileSync } from 'node:fs'
import vm from 'node:vm'

const { module, targets } = JSON.parse(readFileSync(0, 'utf8'))
const context = vm.createContext({ URL, fetch, Request, Response, Headers, TextDecoder, TextEncoder, atob })
const code = await (await fetch(module)).text()
const loaded = new vm.SourceTextModule(code, { context, identifier: module, initializeImportMeta: (meta) => (meta.url = module) })
await loaded.link(() => {
  throw new Error('it imports nothing')
})
await loaded.evaluate()
const answers = []
for (const target of targets) {
  const answer = await loaded.namespace.ask(target)
  answers.push({ status: answer.status, body: await answer.text() })
}
console.log(JSON.stringify(answers))
