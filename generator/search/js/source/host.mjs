// Answers of a host that are not documents: other methods, files, and pages for people.
import { answeredByFeature } from './added.mjs'
import './feeds.mjs'
import { serve } from './mcp.mjs'
import { match } from './reconcile.mjs'
import { respond as answered, failed, fetched, redirect } from './respond.mjs'
import { isAt } from './route.mjs'

export { resolve } from './respond.mjs'

// Answer any Request.
export async function respond(request, fetchAsset, table, search) {
  try {
    return await responded(request, fetchAsset, table, search)
  } catch (error) {
    return failed(error, request, table)
  }
}

// What `respond` of respond.mjs leaves to hosts.
const host = { allowed, page, match }

async function responded(request, fetchAsset, table, search) {
  const path = new URL(request.url).pathname.replace(/\/$/, '')
  if (table.mcp && isAt(table.mcp.path, path, table)) return serve(request, fetchAsset, table, search, host)
  const added = await answeredByFeature(request, fetchAsset, table, search, host)
  return added ?? answered(request, fetchAsset, table, search, host)
}

// The address of another file of the host. Setting `pathname` keeps a path with two slashes at its start from being read as
// a host name.
export function beside(path, url) {
  const address = new URL(url)
  address.pathname = path
  address.search = ''
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
