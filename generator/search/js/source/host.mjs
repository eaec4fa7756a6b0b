// What a host answers besides documents: other methods, files, and pages for people.
import { respond as answered, fetched, redirect } from './respond.mjs'

export { resolve } from './respond.mjs'

// The Response to any Request.
export const respond = (request, fetchAsset, table, search) => answered(request, fetchAsset, table, search, { allowed, page })

// The address of a file beside a request's.  Of a path that begins with two slashes the first part is no host.
export function beside(path, url) {
  const address = new URL(url)
  address.pathname = path
  address.search = ''
  return address
}

// What is no document: a file; a page for people, which is the index.html of a folder and is asked for with a slash at the
// end; or the page that says that nothing is there.
async function page(path, request, fetchAsset, table) {
  const none = ({ status }) => status === 404 || [301, 302, 307, 308].includes(status)
  const get = (file) => fetched(file, request.method, request, fetchAsset)
  const asset = await get(path)
  if (!none(asset)) return asset
  const folder = path.endsWith('/index.html') ? path.slice(0, -10) : path.endsWith('/') ? path : `${path}/`
  // Some hosts find the index.html themselves, and lead to the folder from that name.
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
  if (routed.status === 204) return new Response(null, { status: 204, headers: { ...headers, ...table.preflight } })
  return new Response(`${table.not_allowed}\n`, { status: routed.status, headers: { ...headers, 'content-type': table.type } })
}
