// Answers of a host that are not documents: other methods, files, and pages for people.
import { answeredByFeature } from './added.mjs'
import { crc32, encoder, jsonOf } from './bytes.mjs'
import './feeds.mjs'
import { address } from './list.mjs'
import { serve } from './mcp.mjs'
import { withTry } from './meant/meant.mjs'
import { match } from './reconcile.mjs'
import { withNear } from './refusals.mjs'
import { resolve } from './resolve.mjs'
import { Unread, respond as answered, bytesOf, failed, fetched, redirect, refusal, without } from './respond.mjs'
import { fill, isAt, route } from './route.mjs'

export { resolve } from './resolve.mjs'

// Answer any Request.
export async function respond(request, fetchAsset, table, search) {
  try {
    return await responded(request, fetchAsset, table, search)
  } catch (error) {
    return failed(error, request, table)
  }
}

// What `respond` of respond.mjs leaves to hosts.
const host = { allowed, isListed, listOf, page, resolve, searched }

async function responded(request, fetchAsset, table, search) {
  const { pathname } = new URL(request.url)
  if (table.mcp && isAt(table.mcp.path, pathname.replace(/\/$/, ''), table)) return serve(request, fetchAsset, table, search, host)
  const added = await answeredByFeature(request, fetchAsset, table, search, host)
  const response = added ?? (await helped(request, fetchAsset, table, search))
  // A base URL may have a path such as /api. If a proxy removes this path, addresses of the API still begin with it.
  const isDoubtful = table.prefix && pathname.startsWith(table.api) && pathname.startsWith(`${table.prefix}/`)
  if (response.status !== 404 || !isDoubtful) return response
  const whole = new Request(withPath(table.prefix + pathname, request.url), { method: request.method, headers: request.headers })
  const other = await answered(whole, fetchAsset, table, search, host)
  return other.status === 404 ? response : other
}

// The answer of `answered`; a refusal has `try`. Together they read at most as much as a query.
async function helped(request, fetchAsset, table, search) {
  let reads = 0
  const fetchFew = (...asked) => {
    if (++reads > table.index.most.reads) throw new Unread('This request has read too much.')
    return fetchAsset(...asked)
  }
  const response = await answered(request, (...asked) => (reads++, fetchAsset(...asked)), table, search, host)
  const isRefusal = request.method === 'GET' && response.headers.get('content-type') === table.type
  if (!isRefusal || ![400, 404].includes(response.status)) return response
  const headers = without(request.headers, /^(if-|range$)/)
  const asking = (address) => new Request(new URL(request.url).origin + address, { headers })
  const answer = (address) => answered(asking(address), fetchFew, table, search, host)
  return withTry(response, request, answer, (path, again) => bytesOf(path, request, fetchFew, again), table)
}

// What `route` returns for the query that a prepared page of a list answers, if `routed` is the file of such a page.
function listOf(routed, table) {
  const { plain, sorted, by } = table.files
  for (const list of table.lists) {
    const files = [plain, sorted, by].map((file) => [list.root + file, {}])
    for (const [filter, { file, value }] of Object.entries(list.fixed)) files.push([file, { filter, value }])
    for (const [template, fixed] of files) {
      const found = new RegExp(`^${template.replace(/:([a-z]+)/g, '(?<$1>[^/]+)')}$`).exec(routed.file)
      if (!found) continue
      const { filter, value, sort, page } = { ...found.groups, ...fixed }
      const pairs = Object.entries({ mode: 'page', [filter]: value, sort, page }).filter(([, text]) => text)
      const listed = route('GET', list.root, pairs.map((pair) => pair.join('=')).join('&'), table)
      if (listed.file === routed.file) return listed
    }
  }
  return routed
}

// Whether a published list has this value of a filter, of which there is then a page.
async function isListed(collection, [filter, value], read, table) {
  const { root } = table.lists.find(({ name }) => name === collection)
  const values = await read(root + fill(table.files.values, { filter }))
  try {
    return jsonOf(values).data.values.some((one) => one.value === value)
  } catch {
    return false
  }
}

// The answer of `search`; a client that has it already gets 304 before the answer is made (RFC 9110 section 13.1.2).
async function searched(query, request, fetchAsset, table, search) {
  if (query.mode === 'match') return match(query, request, fetchAsset, table)
  const read = (path, again) => bytesOf(path, request, fetchAsset, again)
  const known = request.headers.get('if-none-match') ?? ''
  const tagged = (...of) => {
    const etag = etagOf(...of)
    return { etag, isKnown: (known.match(/"[^"]*"/g) ?? []).includes(etag) }
  }
  const head = request.method === 'HEAD'
  const { body, link, etag, isKnown, ...refused } = await search(query, read, table, tagged)
  if (!etag) return refusal(await withNear(refused, read, table), table, head)
  const headers = { ...table.headers, ...(link ? { link } : {}), etag }
  if (isKnown || known.trim() === '*') return new Response(null, { status: 304, headers })
  return new Response(head ? null : body, { headers: { ...headers, 'content-type': query.type ?? table.json } })
}

// The ETag of an answer. The manifests have the checks of all files; the rest are the query and this program.
function etagOf(query, readers) {
  const [{ table }] = readers
  const asked = crc32(encoder.encode(`${table.made} ${address(query, query.page ?? 1, table)}`))
  const numbers = [...readers.flatMap(({ manifest: { check, bytes } }) => [check, bytes]), asked]
  return `"${numbers.map((number) => number.toString(16)).join('-')}"`
}

// The address of another file of the host. Setting `pathname` keeps a path with two slashes at its start from being read as
// a host name.
export function beside(path, url) {
  const address = withPath(path, url)
  address.search = ''
  return address
}

function withPath(path, url) {
  const address = new URL(url)
  address.pathname = path
  return address
}

// Serve a file, or a page for people: the index.html of a folder, whose address ends with a slash; else the page for a
// missing address.
async function page(path, request, fetchAsset, table) {
  const none = ({ status }) => status === 404 || [301, 302, 307, 308].includes(status)
  const get = (file) => fetched(file, request, fetchAsset)
  const asset = await get(path)
  if (!none(asset)) return asset
  const folder = path.endsWith('/index.html') ? path.slice(0, -10) : path.endsWith('/') ? path : `${path}/`
  // Some hosts find the index.html themselves, and redirect from that name to the folder.
  for (const file of [folder, `${folder}index.html`].filter((name) => name !== path)) {
    const found = await get(file)
    if (none(found)) continue
    if (folder === path) return found
    return redirect(`${table.prefix}${folder}${new URL(request.url).search}`, table)
  }
  if (asset.status !== 404) return asset
  const missing = await fetchAsset(table.missing, { method: request.method })
  const { body, headers } = missing.ok ? missing : asset
  return new Response(request.method === 'HEAD' ? null : body, { status: 404, headers })
}

function allowed(routed, table) {
  const headers = { ...table.headers, allow: routed.allow.join(', ') }
  if (routed.status === 204) {
    const preflight = { ...table.preflight, 'Access-Control-Allow-Methods': headers.allow }
    return new Response(null, { status: 204, headers: { ...headers, ...preflight } })
  }
  return new Response(`${table.not_allowed}\n`, { status: routed.status, headers: { ...headers, 'content-type': table.type } })
}
