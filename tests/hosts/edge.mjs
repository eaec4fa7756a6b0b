// Answers requests as a host with JavaScript at its edge does: its own script, with the host around it stubbed.
//
// stdin   {"host": name below, "script": path, "site": folder, "table": JSON or absent, "requests": [[method, target, headers or absent], ...]}
// stdout  [{status, headers, body: SHA-256 of the body or "", text: the body of a refusal}, ...]; null where the host's script is not asked
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'

const ORIGIN = 'https://registry.example.org'
const { host, script, site, table, requests } = JSON.parse(readFileSync(0, 'utf8'))

function file(path) {
  const name = join(site, decodeURIComponent(path))
  return existsSync(name) && statSync(name).isFile() ? readFileSync(name) : undefined
}

// The host's own files: what every fetch of an asset comes down to.
async function asset(request) {
  const { pathname } = new URL(request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
  const body = file(pathname)
  if (body === undefined) return new Response(file('/404.html'), { status: 404, headers: { 'content-type': 'text/html' } })
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } })
  const headers = { etag, 'content-type': pathname.endsWith('.json') ? 'application/json' : 'text/plain' }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

async function shown(response) {
  const body = Buffer.from(await response.arrayBuffer())
  const digest = body.length ? createHash('sha256').update(body).digest('hex') : ''
  const text = response.status >= 400 ? body.toString() : ''
  return { status: response.status, headers: Object.fromEntries(response.headers), body: digest, text }
}

// URLPattern as @netlify/edge-bundler makes expressions of it: with a slash more, too.
const expression = (path) => new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]+?')}\\/?$`)
// path-to-regexp, as far as the matcher of the middleware goes.
const matcher = (path) => new RegExp(`^${path.replace(/:\w+\((.+)\)/g, '($1)')}$`)

const HOSTS = {
  // The function itself, with nothing around it.
  async resolve() {
    const { resolve } = await import(pathToFileURL(script))
    return ([method, path, query]) => resolve(method, path, query, table)
  },
  async respond() {
    const { respond } = await import(pathToFileURL(script))
    return async ([method, target, headers]) => {
      const request = new Request(ORIGIN + target, { method, headers })
      return shown(await respond(request, (path, init) => asset(new Request(new URL(path, request.url), init)), table))
    }
  },
  async netlify() {
    const { default: handler, config } = await import(pathToFileURL(script))
    const [paths, excluded] = [config.path, config.excludedPath].map((list) => list.map(expression))
    return async ([method, target]) => {
      const request = new Request(ORIGIN + target, { method })
      const { pathname } = new URL(request.url)
      if (!paths.some((path) => path.test(pathname)) || excluded.some((path) => path.test(pathname))) return null
      return shown(await handler(request, { next: (onward) => asset(onward) }))
    }
  },
  async vercel() {
    const { default: handler, config } = await import(pathToFileURL(script))
    const paths = config.matcher.map(matcher)
    globalThis.fetch = (url, init) => asset(new Request(url, init))
    return async ([method, target]) => {
      const request = new Request(ORIGIN + target, { method })
      return paths.some((path) => path.test(new URL(request.url).pathname)) ? shown(await handler(request)) : null
    }
  },
  // A distribution of S3: the function first, then the file, then the error response of the distribution.
  async cloudfront() {
    const { handler } = vm.runInNewContext(`${readFileSync(script, 'utf8')}; ({ handler })`)
    return async ([method, target]) => {
      const at = target.indexOf('?')
      const [uri, query] = at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)]
      // Parsed, it says less than the raw query: what it is given here would be noticed.
      const request = { method, uri, querystring: { parsed: { value: '' } }, headers: {}, rawQueryString: () => query }
      const answer = handler({ version: '1.0', context: { eventType: 'viewer-request' }, viewer: {}, request })
      if (answer.statusCode !== undefined) {
        const headers = Object.entries(answer.headers).map(([name, { value }]) => [name, value])
        return shown(new Response(answer.body || null, { status: answer.statusCode, headers }))
      }
      if (Object.keys(answer.querystring).length) throw new Error(`a query for S3: ${target}`)
      const found = await asset(new Request(ORIGIN + answer.uri, { method: answer.method }))
      if (found.status !== 404) return shown(found)
      const body = method === 'HEAD' ? null : file('/api/problems/not-found.json')
      return shown(new Response(body, { status: 404, headers: { 'content-type': 'application/problem+json' } }))
    }
  },
  // The routes of vercel.json alone, as its documentation describes them.
  async routes() {
    const { getTransformedRoutes } = await import('@vercel/routing-utils')
    const { routes, error } = getTransformedRoutes({ routes: JSON.parse(readFileSync(script, 'utf8')).routes })
    if (error) throw new Error(JSON.stringify(error))
    return async ([method, target]) => {
      const { pathname, searchParams } = new URL(ORIGIN + target)
      const given = Object.fromEntries(searchParams)
      const headers = {}
      for (const route of routes) {
        if (route.handle === 'filesystem') {
          if (file(pathname) !== undefined) return shown(await asset(new Request(ORIGIN + pathname, { method })))
          continue
        }
        const match = new RegExp(route.src).exec(pathname)
        const groups = { ...match, ...match?.groups }
        const has = (route.has ?? []).every(({ key, value }) => {
          const found = key in given && new RegExp(`^${value}$`).exec(given[key])
          Object.assign(groups, found?.groups)
          return found
        })
        if (!match || !has || (route.missing ?? []).some(({ key }) => key in given)) continue
        Object.assign(headers, route.headers)
        if (route.continue) continue
        if (route.status >= 300 && route.status < 400) return shown(new Response(null, { status: route.status, headers }))
        const dest = route.dest.replace(/\$(\w+)/g, (_, name) => groups[name])
        const body = file(dest)
        if (body !== undefined) return shown(new Response(method === 'HEAD' ? null : body, { status: route.status ?? 200, headers }))
      }
      return shown(new Response(file('/404.html'), { status: 404 }))
    }
  },
}

const answer = await HOSTS[host]()
const answers = []
for (const request of requests) answers.push(await answer(request))
console.log(JSON.stringify(answers))
