// The count document.
import { encoder } from './bytes.mjs'
import { address, listUrl, shownAlternatives } from './list.mjs'

// `counts` has all values of the counted filters and those that are asked for, as [filter, values, selected], each value as
// [value, label, count].
export function countBytes(query, total, counts, alternatives, { list, table, manifest: { as_of: day } }) {
  const { q, filters, by, like } = query
  const counted = { collection: list.name, mode: 'page', q, filters, sort: '', order: list.sorts[0], page: 1 }
  const most = table.index.most.values
  const plain = (values) => values.map(([value, label, count]) => ({ value, label, count }))
  const shown = counts.map(([name, values, selected]) => {
    const label = table.index.labels[list.name][name]
    const [number, truncated, first] = [values.length, values.length > most, plain(values.slice(0, most))]
    return [name, { label, total_values: number, truncated, values: first, selected: plain(selected) }]
  })
  const document = {
    schema_version: table.schema_version,
    kind: `${table.kinds[list.name]}_count`,
    ...(day === null ? {} : { as_of: day }),
    query: { mode: query.mode, q, filters, by, like },
    total_items: total,
    links: { self: address(query, 1, table), list: listUrl(counted, table) },
    alternatives: shownAlternatives(alternatives, counted, table),
    counts: Object.fromEntries(shown),
  }
  return encoder.encode(`${JSON.stringify(document)}\n`)
}
