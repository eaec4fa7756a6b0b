// Answers requests like Netlify, with Netlify's own parsers and matcher.
//
// stdin   lines of {"site": folder, "config": path of a netlify.toml or null, "urls": ["/path?query", ...]}
// stdout  for each {"rules": number, "blocks": number, "errors": [text, ...],
//                   "answers": [{url, status, target, exists, location, headers}, ...]}
//
// `target` is the served file, `exists` whether the site has it; `headers` are those of every matching block of
// `_headers`, each with all its values.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseAllHeaders } from '@netlify/headers-parser'
import { parseAllRedirects } from '@netlify/redirect-parser'
import redirector from 'netlify-redirector'

const filesOf = (site) => ['_redirects', '_headers'].map((name) => join(site, name))

// The rules of a site, and a function that answers a request.
async function host(site, config) {
  const [redirects, headers] = filesOf(site)
  const netlifyConfigPath = config ?? undefined
  const parsed = await parseAllRedirects({ redirectsFiles: [redirects], netlifyConfigPath, minimal: false })
  const blocks = await parseAllHeaders({ headersFiles: [headers], netlifyConfigPath, configHeaders: [], minimal: false })
  // The matcher knows `from` and `query` by older names, and silently matches everything if they are missing.
  const rules = parsed.redirects.map(({ from, query, ...rule }) => ({ ...rule, origin: from, params: query }))
  const matched = await matcher(rules)

  const isFile = remembered((path) => existsSync(join(site, path)) && statSync(join(site, path)).isFile())
  const found = (path) => [path, `${path}.html`, join(path, 'index.html')].find(isFile)

  const headersOf = remembered((path) => {
    const all = {}
    for (const { forRegExp, values } of blocks.headers) {
      if (!forRegExp.test(path)) continue
      for (const [name, value] of Object.entries(values)) (all[name.toLowerCase()] ??= []).push(value)
    }
    return all
  })

  function answer(request) {
    const url = new URL(`https://registry.example.org${request}`)
    const path = decodeURIComponent(url.pathname)
    const file = found(path)
    // A file wins over a rule that is not forced.
    if (file !== undefined) return { status: 200, target: file, exists: true }
    const none = () => ''
    const match = matched({
      scheme: 'https', host: url.host, path, query: url.search.slice(1), headers: {}, cookieValues: {}, getHeader: none, getCookie: none,
    })
    if (!match) return { status: 404, target: null, exists: false }
    if (match.force || match.force404) throw new Error(`forced: ${request}`)
    if (match.status >= 300 && match.status <= 400) return { status: match.status, target: null, exists: false, location: match.to }
    // Only the first matching rule counts, and its target is not matched again.
    const target = found(match.to)
    return { status: target === undefined ? 404 : match.status, target: target ?? match.to, exists: target !== undefined }
  }

  return (urls) => {
    const answers = []
    for (const url of urls) {
      const { status, target, exists, location = null } = answer(url)
      answers.push({ url, status, target, exists, location, headers: headersOf(target ?? new URL(`https://x${url}`).pathname) })
    }
    return { rules: rules.length, blocks: blocks.headers.length, errors: [...parsed.errors, ...blocks.errors].map(String), answers }
  }
}

function remembered(tell) {
  const known = new Map()
  return (path) => {
    if (!known.has(path)) known.set(path, tell(path))
    return known.get(path)
  }
}

// Of hundreds of rules a request meets those alone whose path and parameters it has: the matcher takes long to see that it
// has no other.  Every fiftieth request meets all rules too, and must be answered the same.
async function matcher(rules) {
  const parse = (some) => redirector.parseJSON(JSON.stringify(some), {})
  const runs = []  // of rules with the same parameters and start of the path
  for (const rule of rules) {
    const names = Object.keys(rule.params ?? {}), start = rule.origin.replace(/\/*(?:[:*].*)?$/, '')
    if (runs.at(-1)?.names.join() !== names.join() || runs.at(-1).start !== start) runs.push({ names, start, rules: [] })
    runs.at(-1).rules.push(rule)
  }
  for (const run of runs) run.matcher = await parse(run.rules)
  const whole = await parse(rules)
  const told = (match) => match && JSON.stringify([match.status, match.to, match.force, match.force404])
  let asked = 0
  return (request) => {
    let text = request.query
    try { text += decodeURIComponent(text.replaceAll('+', ' ')) } catch { return whole.match(request) }
    let match = null
    for (const { names, start, matcher } of runs) {
      if (!request.path.includes(start) || !names.every((name) => text.includes(name))) continue
      if ((match = matcher.match(request))) break
    }
    if (asked++ % 50 === 0 && told(whole.match(request)) !== told(match)) {
      throw new Error(`other rules: ${request.path}?${request.query}`)
    }
    return match
  }
}

const hosts = new Map()
for await (const line of createInterface({ input: process.stdin })) {
  const { site, config = null, urls = [] } = JSON.parse(line)
  // The files of a folder may have changed.
  const key = JSON.stringify([site, config, ...filesOf(site).map((path) => readFileSync(path, 'utf8'))])
  if (!hosts.has(key)) hosts.set(key, await host(site, config))
  console.log(JSON.stringify(hosts.get(key)(urls)))
}
