// mode=rows: a few fields of records, as a document or as a table in CSV.
import { encoder } from '../bytes.mjs'
import { address, arrayOf, joined, listUrl, shownAlternatives } from '../list.mjs'
import { notesOf } from '../notes.mjs'
import { selected } from '../search.mjs'
import { alternatives } from './alternatives.mjs'
import { cellsOf, fieldsOf } from './cells.mjs'

// A few fields of some records: a list with the document, as bytes, or with a table in CSV, as { body, link }.
export async function narrow(reader) {
  const { query, table, manifest } = reader
  const fields = fieldsOf(query.columns, reader)
  const columns = fields.flatMap(({ column }) => column ?? [])
  const start = query.start ?? 0
  const { conditions, met, count, wanted, rows } = await selected(reader, start, start + query.limit, columns)
  const instead = count ? [] : await alternatives(conditions, met, null, reader)
  return [rowsBytes(query, cellsOf(fields, wanted, rows), count, instead, manifest, table)]
}

// `rows` has the cells of each.
function rowsBytes(query, rows, count, alternatives, manifest, table) {
  const { collection, order, q, filters, fields, columns, limit, start, type } = query
  const listed = { ...query, mode: 'page' }
  const end = (start ?? 0) + limit
  const next = end < count ? address({ ...query, start: end }, 1, table) : null
  if (type) return { body: csvOf([columns, ...rows]), link: next && `<${next}>; rel="next"` }
  const head = {
    schema_version: table.schema_version,
    kind: `${table.kinds[collection]}_rows`,
    ...(manifest.as_of === null ? {} : { as_of: manifest.as_of }),
    query: { mode: 'rows', sort: order, q, filters, fields, limit, start },
    total_items: count,
    links: { self: address(query, 1, table), next, list: listUrl(listed, table) },
    alternatives: shownAlternatives(alternatives, listed, table),
    notes: notesOf(query, table.lists.find(({ name }) => name === collection), table),
    columns,
  }
  const opening = JSON.stringify(head).slice(0, -1)
  return joined([`${opening},"rows":`, ...arrayOf(rows.map((cells) => `[${cells.map(cellText)}]`)), '}\n'])
}

// A table in CSV (RFC 4180): a list is its JSON text, a missing value is empty.
function csvOf(rows) {
  const cellOf = (value) => {
    const text = typeof value === 'string' ? value : value === null ? '' : cellText(value)
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
  }
  return encoder.encode(rows.map((row) => `${row.map(cellOf)}\r\n`).join(''))
}

// A value as orjson writes it: small numbers with an exponent.
function cellText(value) {
  const small = typeof value === 'number' && value && Math.abs(value) < 1e-5
  return small ? value.toExponential() : JSON.stringify(value)
}
