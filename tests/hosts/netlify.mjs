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
const matcher = await redirector.parseJSON(JSON.stringify(rules), {})

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

function answer(request) {
  const url = new URL(`https://registry.example.org${request}`)
  const path = decodeURIComponent(url.pathname)
  const file = found(path)
  // A file wins over a rule that is not forced.
  if (file !== undefined) return { status: 200, target: file, exists: true }
  const none = () => ''
  const match = matcher.match({
    scheme: 'https', host: url.host, path, query: url.search.slice(1), headers: {}, cookieValues: {}, getHeader: none, getCookie: none,
  })
  if (!match) return { status: 404, target: null, exists: false }
  if (match.force || match.force404) throw new Error(`forced: ${request}`)
  if (match.status >= 300 && match.status <= 400) return { status: match.status, target: null, exists: false, location: match.to }
  // No rule is tried after the first, and no target is matched again.
  const target = found(match.to)
  return { status: target === undefined ? 404 : match.status, target: target ?? match.to, exists: target !== undefined }
}

const answers = urls.map((url) => {
  const { status, target, exists, location = null } = answer(url)
  return { url, status, target, exists, location, headers: headersOf(target ?? new URL(`https://x${url}`).pathname) }
})
const errors = [...parsed.errors, ...blocks.errors].map(String)
console.log(JSON.stringify({ rules: rules.length, blocks: blocks.headers.length, errors, answers }))
