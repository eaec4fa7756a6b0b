// The handler of a CloudFront Function: the result of `route` as the runtime expects it. The table has former slugs.
import { document, problem, route } from './route.mjs'

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
    const moved = routed.record && table.moved[`${routed.record.name}/${routed.slug}`]
    let location = moved && `${table.prefix}${routed.record.root}/${moved}`
    const filters = routed.query ? routed.query.filters : {}
    for (const name in filters) {
      const now = table.moved[`${name}s/${filters[name]}`]
      if (now) location = table.prefix + routed.file.replace(`/${filters[name]}/`, `/${now}/`)
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
    body: request.method === 'HEAD' ? '' : routed.allow ? table.not_allowed : JSON.stringify(document(routed, table)),
  }
}
