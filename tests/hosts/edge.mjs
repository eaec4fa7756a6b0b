// Answers requests like a host with JavaScript at its edge: the host's script, with a stub of the host.
//
// stdin   {"host": name below, "script": path, "site": folder, "table": JSON or absent, "requests": [[method, target, headers or absent], ...]}
// stdout  [{status, headers, body: SHA-256 of the body or "", text: the body of a refusal}, ...]; null if the request does not reach the host's script
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'

const ORIGIN = 'https://registry.example.org'
const { host, script, site, table, requests } = JSON.parse(readFileSync(0, 'utf8'))

// path -> bytes of the site's requested files, or undefined; files do not change during a run.
const files = new Map()
function file(path) {
  if (!files.has(path)) {
    const name = /%(?![0-9a-f]{2})/i.test(path) ? undefined : join(site, unescape(path))
    files.set(path, name !== undefined && existsSync(name) && statSync(name).isFile() ? readFileSync(name) : undefined)
  }
  return files.get(path)
}

const digests = new WeakMap()
function digest(body) {
  if (!digests.has(body)) digests.set(body, createHash('sha256').update(body).digest('hex'))
  return digests.get(body)
}

// The file for a path, or the index of a folder if the host serves folders by name.
const shownAt = (path) => [path, `${path}/index.html`].find((name) => file(name) !== undefined)

// The host's own files, for every fetch of an asset.
async function asset(request) {
  const { pathname } = new URL(request.url)
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
  const body = file(pathname)
  if (body === undefined) return new Response(file('/404.html'), { status: 404, headers: { 'content-type': 'text/html' } })
  const etag = `"${digest(body)}"`
  if (request.headers.has('if-match') && request.headers.get('if-match') !== etag) return new Response(null, { status: 412 })
  if (request.headers.get('range') === 'bytes=999999999-') return new Response(null, { status: 416 })
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers: { etag } })
  const headers = { etag, 'content-type': pathname.endsWith('.json') ? 'application/json' : 'text/plain' }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

async function shown(response) {
  const body = Buffer.from(await response.arrayBuffer())
  const text = response.status >= 400 ? body.toString() : ''
  return { status: response.status, headers: Object.fromEntries(response.headers), body: body.length ? digest(body) : '', text }
}

// The part of path-to-regexp that the middleware's matcher uses; whether Vercel matches case is not documented.
const matcher = (path) => new RegExp(`^${path.replace(/:\w+\((.+)\)/g, '($1)')}$`, 'i')

const HOSTS = {
  // The function alone.
  async resolve() {
    const { resolve } = await import(pathToFileURL(script))
    return ([method, path, query]) => resolve(method, path, query, table)
  },
  async respond() {
    const { beside, respond } = await import(pathToFileURL(script))
    return async ([method, target, headers]) => {
      const request = new Request(ORIGIN + target, { method, headers })
      return shown(await respond(request, (path, init) => asset(new Request(beside(path, request.url), init)), table))
    }
  },
  // The folder of functions: in the order of their names, for raw paths, until a function answers.
  async netlify() {
    const functions = []
    for (const name of readdirSync(script).filter((name) => name.endsWith('.mjs')).sort()) {
      functions.push(await import(pathToFileURL(join(script, name))))
    }
    const expressions = (patterns) => [patterns ?? []].flat().map((one) => new RegExp(one))
    const wanted = functions.map(({ config: { pattern, excludedPattern, method } }) =>
      ({ method, taken: expressions(pattern), left: expressions(excludedPattern) }))
    const takes = ({ taken, left, method }, asked, path) =>
      taken.some((one) => one.test(path)) && !left.some((one) => one.test(path)) && (!method || method === asked)
    return async ([method, target, headers]) => {
      const path = target.split('?')[0]
      const found = functions.find((_, n) => takes(wanted[n], method, path))
      if (!found) return null
      return shown(await found.default(new Request(ORIGIN + target, { method, headers }), { next: (onward) => asset(onward) }))
    }
  },
  async vercel() {
    const { default: handler, config } = await import(pathToFileURL(script))
    const paths = config.matcher.map(matcher)
    const takes = (path) => paths.some((one) => one.test(path))
    globalThis.fetch = (url, init) => {
      if (takes(new URL(url).pathname)) throw new Error(`the middleware asks itself: ${url}`)
      return asset(new Request(url, init))
    }
    return async ([method, target, headers]) => {
      if (!takes(target.split('?')[0])) return null
      const answer = await handler(new Request(ORIGIN + target, { method, headers }))
      return answer.headers.has('x-middleware-next') ? null : shown(answer)
    }
  },
  // A distribution of S3: the function first, then the file, then the error response of the distribution.
  async cloudfront() {
    const { handler } = vm.runInNewContext(`${readFileSync(script, 'utf8')}; ({ handler })`)
    return async ([method, target]) => {
      const at = target.indexOf('?')
      const [uri, query] = at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)]
      // CloudFront's parsed query loses details; this marker shows if the function reads it.
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
    for (const route of routes) {
      if (route.src) route.path = new RegExp(route.src)
      for (const one of route.has ?? []) one.expression = new RegExp(`^${one.value}$`)
    }
    return async ([method, target]) => {
      const { pathname: encoded, searchParams } = new URL(ORIGIN + target)
      // Vercel does not document whether it decodes a path before matching; more would leak if it does.
      const pathname = unescape(encoded)
      const given = Object.fromEntries(searchParams)
      const headers = {}
      for (const route of routes) {
        if (route.methods && !route.methods.includes(method)) continue
        if (route.handle === 'filesystem') {
          const name = shownAt(pathname)
          if (name !== undefined) return shown(await asset(new Request(ORIGIN + name, { method })))
          continue
        }
        const match = route.path.exec(pathname)
        const groups = { ...match, ...match?.groups }
        const has = (route.has ?? []).every(({ key, expression }) => {
          const found = key in given && expression.exec(given[key])
          Object.assign(groups, found?.groups)
          return found
        })
        if (!match || !has || (route.missing ?? []).some(({ key }) => key in given)) continue
        Object.assign(headers, route.headers)
        if (route.continue) continue
        if (!route.dest) return shown(new Response(null, { status: route.status, headers }))
        const dest = route.dest.replace(/\$(\w+)/g, (_, name) => groups[name])
        const body = file(shownAt(dest) ?? dest)
        if (body !== undefined) return shown(new Response(method === 'HEAD' ? null : body, { status: route.status ?? 200, headers }))
      }
      return shown(new Response(method === 'HEAD' ? null : file('/404.html'), { status: 404 }))
    }
  },
}

const answer = await HOSTS[host]()
const answers = []
// A target has a character for each byte; engines read the bytes as UTF-8.
const text = (target) => Buffer.from(target, 'latin1').toString()
for (const [method, target, ...more] of requests) answers.push(await answer([method, text(target), ...more]))
console.log(JSON.stringify(answers))
