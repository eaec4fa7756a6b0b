// Answer a request for a document from the files of a host, on any current engine with the Fetch API.
import { jsonOf } from './bytes.mjs'
import { pastTheEnd, unknownValues, withNear, withNearSlugs } from './refusals.mjs'
import { document, fill, nounOf, problem, route } from './route.mjs'
import { answers } from './search.mjs'

// Answer a Request. `fetchAsset(path, init, again)` gives the Response of the host's own files; `again` bypasses caches.
// `search` of search.mjs, on hosts with a query tier, answers queries without a prepared file. `host` (host.mjs), if given,
// answers other requests.
export async function respond(request, fetchAsset, table, search, host) {
  const { pathname, search: query } = new URL(request.url)
  const routed = (host?.resolve ?? route)(request.method, pathname, query.slice(1), table)
  const head = request.method === 'HEAD'
  if (routed.allow) return host.allowed(routed, table)
  if (routed.location) return redirect(routed.location, table)
  const read = (path, again) => bytesOf(path, request, fetchAsset, again)
  if (routed.problem && routed.query && search && (host || answers[routed.query.mode])) {
    if (host) return host.searched(routed.query, request, fetchAsset, table, search)
    const { body, link, ...refused } = await search(routed.query, read, table)
    return body ? new Response(body, { headers: { ...(link ? { link } : {}), 'content-type': routed.query.type ?? table.json } }) : refusal(await withNear(refused, read, table), table)
  }
  if (routed.problem) return refusal(await withNear(routed, read, table), table, head)
  if (host && !routed.file.startsWith(table.api)) return host.page(routed.file, request, fetchAsset, table)
  // Files that may be redirects: a record, and the list of a record. They are read in full.
  const may = routed.record || targetOf(routed.query, table)
  const asked = may ? { method: 'GET', headers: without(request.headers, /^range$/) } : request
  const asset = await fetched(routed.file, asked, fetchAsset)
  if (asset.status === 404) {
    const missing = host && !routed.record && !routed.query ? host.listOf(routed, table) : routed
    const location = await present(missing, read, table)
    if (location) return redirect(location, table)
    const refused = await absent(missing, read, table, host)
    if (head || !routed.record || !search) return refusal(await withNear(refused, read, table), table, head)
    const ask = (query) => search(query, read, table)
    return refusal(await withNearSlugs(refused, routed.record, routed.slug, ask, table), table)
  }
  const headers = new Headers(asset.headers)
  for (const [name, value] of Object.entries(table.headers)) headers.set(name, value)
  if (asset.ok || asset.status === 304) headers.set('content-location', table.prefix + routed.file)
  let body = head || asset.status === 304 ? null : asset.body
  if (may && asset.ok) {
    const text = await received(() => asset.text())
    if (isMoved(text)) {
      const { links, data } = JSON.parse(text)
      const location = routed.record ? `${table.prefix}${routed.record.root}/${data.replaced_by}` : links.replaced_by
      return redirect(location, table)
    }
    body = head ? null : text
  }
  return new Response(body, { status: asset.status, headers })
}

// 308 keeps the method (RFC 9110 section 15.4.9).
export function redirect(location, table) {
  return new Response(null, { status: 308, headers: { ...table.headers, location } })
}

// A file of the host cannot be read, which is no fault of this program; `cause` says why.
export class Unread extends Error {}

// The result of a function that reads a file. Throws Unread.
async function received(work) {
  try {
    return await work()
  } catch (cause) {
    throw new Unread('A file cannot be read.', { cause })
  }
}

// The answer after an unexpected exception, which the log of the host or the console of the browser has.
export function failed(error, request, table) {
  console.error(error)
  return refusal(table.failed, table, request.method === 'HEAD')
}

// A file of the host, unchanged. No path of a file has two slashes in a row, but hosts would find one with a single slash.
export async function fetched(path, { method, headers }, fetchAsset) {
  if (path.includes('//')) return new Response(null, { status: 404 })
  return received(() => fetchAsset(path, { method, headers, redirect: 'manual' }))
}

// Headers without those whose names, in lower case, match.
export function without(headers, pattern) {
  const others = new Headers(headers)
  for (const name of [...others.keys()]) if (pattern.test(name)) others.delete(name)
  return others
}

// The bytes of a whole file, or null if it is missing. Passes on request headers that may be needed for access, but none
// for ranges, conditions or encodings.
export async function bytesOf(path, request, fetchAsset, again) {
  const headers = without(request.headers, /^(if-|range$|accept-encoding$|content-)/)
  const asset = await received(() => fetchAsset(path, { headers }, again))
  const body = await received(() => asset.arrayBuffer())
  return asset.ok ? new Uint8Array(body) : null
}

// The kind is among the first keys of every document.
export function isMoved(text) {
  return text.slice(0, 99).includes('"kind":"moved"')
}

// The list with the records that are values of the first filter of a query; undefined without such a filter.
export function targetOf(query, table) {
  const target = query && table.index.refers[query.collection][Object.keys(query.filters)[0]]
  return table.lists.find(({ name }) => name === target)
}

// The new location of a list of a former slug; the record's own document has it.  Undefined if there is no such list, because
// its collection is empty.
async function present(routed, read, table) {
  const list = targetOf(routed.query, table)
  if (!list) return undefined
  const [[filter, value]] = Object.entries(routed.query.filters)
  const record = await read(list.root + fill(table.files.record, { slug: value }))
  const text = record && new TextDecoder().decode(record)
  if (!text || !isMoved(text)) return undefined
  const file = routed.file.replace(`/${filter}/${value}/`, `/${filter}/${JSON.parse(text).data.replaced_by}/`)
  return (await read(file.replace(/[0-9]+(?=\.json$)/, '1'))) ? table.prefix + file : undefined
}

// The refusal for a missing file.
async function absent(routed, read, table, host) {
  if (routed.record) return problem(table, 'not-found', `There is no ${nounOf(routed.record.name, table)} "${routed.slug}".`)
  if (!routed.query) return problem(table, 'not-found')
  const { collection, filters, page } = routed.query
  const first = await read(routed.file.replace(/[0-9]+(?=\.json$)/, '1'))
  const pages = first ? totalOf(first) : 0
  if (pages && page > pages) return pastTheEnd(page, pages, table)
  const asked = Object.entries(filters).filter(([name]) => !table.lists.some((list) => name in list.fixed))
  if (!first && asked.length && !(host && (await host.isListed(collection, asked[0], read, table)))) {
    return unknownValues(collection, asked[0][0], [asked[0][1]], table)
  }
  return { ...table.unavailable, detail: `The build is damaged: ${routed.file} is missing. Build it again.` }
}

// The number of pages that the first page of a list gives; 0 if it gives none.
function totalOf(page) {
  try {
    return jsonOf(page).page.total_pages
  } catch {
    return 0
  }
}

// A problem document; if the refusal has no document (`type` is then about:blank), the text of its status.
export function refusal(refused, table, head) {
  const headers = { ...table.headers, ...refused.headers, 'content-type': table.type }
  const { status, title, detail } = refused
  const body = refused.problem ? document(refused, table) : { type: 'about:blank', title, status, detail }
  return new Response(head ? null : `${JSON.stringify(body)}\n`, { status, headers })
}
