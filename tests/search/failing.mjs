// Asks query engines that fail.
//
// stdin   {"edge": text of a function's module, "browser": text of search.js, "damaged": another with a fault}
// stdout  [answer of `edge`, message of the error of `browser`, answer of `damaged`]; for the first two no file can be fetched;
//         an answer is [status, content-type, body]
import { readFileSync } from 'node:fs'

const scripts = JSON.parse(readFileSync(0, 'utf8'))
console.error = () => {}

async function load(text) {
  const code = text.replace('import.meta.url', "'https://registry.invalid/api/search.js'")
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).ask
}

const fail = () => Promise.reject(new TypeError('fetch failed'))
const shown = async (answer) => [answer.status, answer.headers.get('content-type'), await answer.text()]
const [edge, browser, damaged] = await Promise.all([scripts.edge, scripts.browser, scripts.damaged].map(load))
const missing = async () => new Response('none', { status: 404 })
const page = '/api/projects?mode=page'
const error = await browser(page, fail).catch(({ message }) => message)
console.log(JSON.stringify([await shown(await edge(page, fail)), error, await shown(await damaged(`${page}&q=amber`, missing))]))
