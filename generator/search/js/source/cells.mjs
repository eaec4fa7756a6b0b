// The cells of rows: values of records, from their summaries and from columns. generator/search/cells.py gives the same.
import { Damaged, decoded } from './bytes.mjs'
import { NUMBER } from './columns.mjs'

const isText = (value) => typeof value === 'string'

// For each record its slug and the values of the fields. A field is { path, type } or, if only the index has its values,
// { column, type } with a column that was read.
export function cellsOf(fields, positions, rows) {
  const columns = fields.map(({ column }) => column && column.at(positions))
  return rows.map((row, i) => {
    const summary = parsed(row)
    const cell = ({ path, type }, n) => (path ? inSummary(summary, path, type) : inColumn(columns[n].get(positions[i]), type))
    return [inSummary(summary, ['slug']), ...fields.map(cell)]
  })
}

function parsed(row) {
  const text = decoded(row)
  try {
    return JSON.parse(text)
  } catch {
    throw new Damaged()
  }
}

function inSummary(summary, path, type) {
  let value = summary
  for (const key of path) {
    const has = value && typeof value === 'object' && Object.prototype.hasOwnProperty.call(value, key)
    if (!has) throw new Damaged()
    value = value[key]
  }
  if (type !== 'slugs') return value
  if (!Array.isArray(value) || !value.every(isText)) throw new Damaged()
  return value.sort()
}

function inColumn(texts, type) {
  if (type === 'slugs') return texts
  if (!texts.length) return null
  const [text] = texts
  if (type !== 'number') return type === 'boolean' ? text === 'true' : text
  if (!NUMBER.test(text) || Math.abs(Number(text)) > 2 ** 53) throw new Damaged()
  return Number(text)
}
