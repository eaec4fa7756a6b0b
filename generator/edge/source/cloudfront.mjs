// The handler of a CloudFront Function: what `route` says, put as the runtime has it.  Former slugs are in the table.
import { document, problem, route } from './route.mjs'

function headersOf(more, allow) {
  const all = allow ? { allow: { value: allow.join(', ') } } : {}
  for (const name in table.headers) all[name.toLowerCase()] = { value: table.headers[name] }
  for (const name in more) all[name.toLowerCase()] = { value: more[name] }
  return all
}

edge.handler = (event) => {
  const request = event.request
  let found = route(request.method, request.uri, request.rawQueryString() || '', table)
  // Rules of other hosts, which a bucket gives out like anything else.
  if (/^\/(_|\.(?!well-known\/))/.test(found.file)) found = problem(table, 'not-found')
  if (found.file) {
    const moved = found.record && table.moved[`${found.record.name}/${found.slug}`]
    let location = moved && `${table.prefix}${found.record.root}/${moved}`
    const filters = found.query ? found.query.filters : {}
    for (const name in filters) {
      const now = table.moved[`${name}s/${filters[name]}`]
      if (now) location = table.prefix + found.file.replace(`/${filters[name]}/`, `/${now}/`)
    }
    if (location) {
      return { statusCode: 308, statusDescription: 'Permanent Redirect', headers: headersOf({ location: location }) }
    }
    request.uri = found.file
    request.querystring = {}
    return request
  }
  if (found.status === 204) {
    return { statusCode: 204, statusDescription: 'No Content', headers: headersOf(table.preflight, found.allow) }
  }
  return {
    statusCode: found.status,
    statusDescription: found.allow ? 'Method Not Allowed' : table.problems[found.problem][1],
    headers: headersOf({ 'content-type': table.type }, found.allow),
    body: request.method === 'HEAD' ? '' : found.allow ? table.not_allowed : JSON.stringify(document(found, table)),
  }
}
