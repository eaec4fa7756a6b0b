// The handler of a CloudFront Function: the result of `route` as the runtime expects it. The table is packed, and also has the
// collections of the records that are values of filters. `moved` has former slugs.
import { unpacked } from './packed.mjs'
import { document, problem, route } from './route.mjs'

const table = JSON.parse(unpacked(packed[0], packed[1]))

function headersOf(more, allow) {
  const all = allow ? { allow: { value: allow.join(', ') } } : {}
  for (const name in table.headers) all[name] = { value: table.headers[name] }
  for (const name in more) all[name] = { value: more[name] }
  return all
}

edge.handler = (event) => {
  const request = event.request
  const redirect = (location) => ({ statusCode: 308, headers: headersOf({ location: location }) })
  let routed = route(request.method, request.uri, request.rawQueryString() || '', table)
  // Rules of other hosts, which a bucket would serve as files.
  if (/^\/(_|\.(?!well-known\/))/.test(routed.file)) routed = problem(table, 'not-found')
  if (routed.location) return redirect(routed.location)
  if (routed.file) {
    const present = routed.record && moved[`${routed.record.name}/${routed.slug}`]
    let location = present && `${table.prefix}${routed.record.root}/${present}`
    const query = routed.query || {}
    const refers = table.refers[query.collection]
    for (const name in refers) {
      const value = query.filters[name]
      const now = moved[`${refers[name]}/${value}`]
      if (now) location = table.prefix + routed.file.replace(`/${value}/`, `/${now}/`)
    }
    if (location) return redirect(location)
    // A page for people is the index.html of its folder. Whether it exists is unknown here, so addresses without a slash
    // are not redirected.
    const page = routed.file.indexOf(table.api) !== 0 && /^(?:\/[a-z0-9-]+)*\/?$/.test(routed.file)
    request.uri = page ? routed.file.replace(/\/?$/, '/index.html') : routed.file
    request.querystring = {}
    return request
  }
  if (routed.status === 204) {
    return { statusCode: 204, headers: headersOf(table.preflight, routed.allow) }
  }
  return {
    statusCode: routed.status,
    headers: headersOf({ 'content-type': table.type }, routed.allow),
    body: request.method === 'HEAD' ? '' : JSON.stringify(routed.allow ? table.not_allowed : document(routed, table)),
  }
}
