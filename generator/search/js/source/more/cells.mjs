// The cells of rows: values of records, from their summaries and from columns.
import { Damaged, decoded } from '../bytes.mjs'
import { Column, NUMBER } from '../columns.mjs'
import { finderOf } from './found.mjs'

const isText = (value) => typeof value === 'string'

// The type of a field of rows, and the path of its value in a summary; undefined if a summary does not have it. The table has both
// in one text, with an empty path for a value that has the name of the field.
export function fieldOf(name, list, table) {
  const [type, path] = table.index.fields[list.name][name].split(':')
  return { type, path: path === undefined ? path : (path || name).split('/') }
}

// The fields with these names for `cellsOf`, with the columns of those that only the index has, and what finds `found_in`.
export function fieldsOf(names, reader) {
  return names.map((name) => {
    const field = fieldOf(name, reader.list, reader.table)
    if (field.type === 'found') return { ...field, found: finderOf(reader) }
    return field.path ? field : { ...field, column: new Column(name, reader) }
  })
}

// For each record the values of the fields, the columns of which were read.
export function cellsOf(fields, positions, rows) {
  const columns = fields.map(({ column }) => column && column.at(positions))
  return rows.map((row, i) => {
    const summary = parsed(row)
    return fields.map(({ path, type, found }, n) => {
      if (found) return found(summary)
      return path ? inSummary(summary, path, type) : inColumn(columns[n].get(positions[i]), type)
    })
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
