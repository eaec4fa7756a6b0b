// The count document.
import { encoder } from './bytes.mjs'
import { address } from './list.mjs'
import { formsOf, routeQuery } from './route.mjs'

// `counts` has all values of the counted filters, as [filter, [[value, label, count], ...]].
export function countBytes(query, total, counts, { list, table, manifest: { as_of: day } }) {
  const { q, filters, by, like } = query
  const counted = { collection: list.name, mode: 'page', q, filters, sort: '', order: list.sorts[0], page: 1 }
  const { file } = routeQuery(counted, list, table, formsOf(list, table))
  const most = table.index.most.values
  const shown = counts.map(([name, values]) => {
    const first = values.slice(0, most).map(([value, label, count]) => ({ value, label, count }))
    const [number, truncated] = [values.length, values.length > most]
    return [name, { label: table.index.labels[list.name][name], total_values: number, truncated, values: first }]
  })
  const document = {
    schema_version: table.schema_version,
    kind: `${table.kinds[list.name]}_count`,
    ...(day === null ? {} : { as_of: day }),
    query: { mode: query.mode, q, filters, by, like },
    total_items: total,
    links: { self: address(query, 1, table), list: file ? table.prefix + file : address(counted, 1, table) },
    counts: Object.fromEntries(shown),
  }
  return encoder.encode(`${JSON.stringify(document)}\n`)
}
