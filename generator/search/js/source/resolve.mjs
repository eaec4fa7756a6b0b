// `route` with the addresses that only hosts answer.
import { reading } from './asked.mjs'
import { isAt, plainly, problem, route, unprefixed } from './route.mjs'

export function resolve(method, path, rawQuery, table) {
  if (reading.feed && /^(GET|HEAD)$/.test(method) && isAt(table.feed, path, table)) return reading.feed(rawQuery, table)
  const posts = new RegExp(table.forms).test(unprefixed(plainly(path), table))
  const routed = route(posts && method === 'POST' ? 'GET' : method, path, rawQuery, table)
  if (posts && method === 'POST') return routed.query ? routed : problem(table, 'not-found')
  return posts && routed.allow ? { ...routed, allow: [...routed.allow, 'POST'] } : routed
}
