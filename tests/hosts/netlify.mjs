// Answers requests as Netlify does, with its own parsers and its own matcher.
//
// stdin   {"site": folder, "config": path of a netlify.toml or null, "urls": ["/path?query", ...]}
// stdout  {"rules": number, "blocks": number, "errors": [text, ...], "answers": [{url, status, target, exists, location, headers}, ...]}
//
// `target` is the file that is served, `exists` whether the site has it; `headers` are those of every matching block of
// `_headers`, each with all its values.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllHeaders } from '@netlify/headers-parser'
import { parseAllRedirects } from '@netlify/redirect-parser'
import redirector from 'netlify-redirector'

const { site, config = null, urls = [] } = JSON.parse(readFileSync(0, 'utf8'))
const netlifyConfigPath = config ?? undefined
const parsed = await parseAllRedirects({ redirectsFiles: [join(site, '_redirects')], netlifyConfigPath, minimal: false })
const blocks = await parseAllHeaders({ headersFiles: [join(site, '_headers')], netlifyConfigPath, configHeaders: [], minimal: false })
// The matcher knows `from` and `query` by older names, and silently matches everything when it is given the new ones.
const rules = parsed.redirects.map(({ from, query, ...rule }) => ({ ...rule, origin: from, params: query }))
const whole = await redirector.parseJSON(JSON.stringify(rules), {})

// Of hundreds of rules a request meets those alone whose parameters it has: the matcher takes long to see that it has no
// other.  Every tenth request meets all rules too, and must be answered the same.
const parameters = [...new Set(rules.flatMap(({ params }) => Object.keys(params ?? {})))]
const matchers = new Map()
const told = (match) => match && JSON.stringify([match.status, match.to, match.force, match.force404])
let asked = 0

async function matched(request) {
  let text = request.query
  try { text += decodeURIComponent(text.replaceAll('+', ' ')) } catch { return whole.match(request) }
  const named = parameters.filter((name) => text.includes(name))
  const key = named.join()
  if (!matchers.has(key)) {
    const some = rules.filter(({ params }) => Object.keys(params ?? {}).every((name) => named.includes(name)))
    matchers.set(key, await redirector.parseJSON(JSON.stringify(some), {}))
  }
  const match = matchers.get(key).match(request)
  if (asked++ % 10 === 0 && told(whole.match(request)) !== told(match)) {
    throw new Error(`other rules: ${request.path}?${request.query}`)
  }
  return match
}

const isFile = (path) => existsSync(join(site, path)) && statSync(join(site, path)).isFile()
const found = (path) => [path, `${path}.html`, join(path, 'index.html')].find(isFile)

function headersOf(path) {
  const all = {}
  for (const { forRegExp, values } of blocks.headers) {
    if (!forRegExp.test(path)) continue
    for (const [name, value] of Object.entries(values)) (all[name.toLowerCase()] ??= []).push(value)
  }
  return all
}

async function answer(request) {
  const url = new URL(`https://registry.example.org${request}`)
  const path = decodeURIComponent(url.pathname)
  const file = found(path)
  // A file wins over a rule that is not forced.
  if (file !== undefined) return { status: 200, target: file, exists: true }
  const none = () => ''
  const match = await matched({
    scheme: 'https', host: url.host, path, query: url.search.slice(1), headers: {}, cookieValues: {}, getHeader: none, getCookie: none,
  })
  if (!match) return { status: 404, target: null, exists: false }
  if (match.force || match.force404) throw new Error(`forced: ${request}`)
  if (match.status >= 300 && match.status <= 400) return { status: match.status, target: null, exists: false, location: match.to }
  // No rule is tried after the first, and no target is matched again.
  const target = found(match.to)
  return { status: target === undefined ? 404 : match.status, target: target ?? match.to, exists: target !== undefined }
}

const answers = []
for (const url of urls) {
  const { status, target, exists, location = null } = await answer(url)
  answers.push({ url, status, target, exists, location, headers: headersOf(target ?? new URL(`https://x${url}`).pathname) })
}
const errors = [...parsed.errors, ...blocks.errors].map(String)
console.log(JSON.stringify({ rules: rules.length, blocks: blocks.headers.length, errors, answers }))
