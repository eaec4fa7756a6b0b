// Parse the parameters that only a query tier answers: several values and ranges of a filter, counting, and rows.
import { textOf } from './folding.mjs'
import { nearest } from './nearest.mjs'
import { isOf, plainMarks, problem, shown, sourcesOf, unlike } from './route.mjs'

// A number in its shortest spelling: 1.5 for 1.50.
function plainNumber(text) {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.exec(text)
  const digits = parts[2] + (parts[3] ? `.${parts[3]}` : '')
  if (digits === '0') return '0'
  return parts[1] + digits + (parts[5] ? `e${parts[4] === '-' ? '-' : ''}${parts[5]}` : '')
}

// Parse a constraint: { how: 'any' | 'all' | 'not', values } with different values, sorted, or { how: 'range', low, high }
// with at most one end null; `text` is its canonical spelling. A constraint that is not valid gives { fault, about }.
export function constraint(name, form, encoded, table) {
  const raw = plainMarks(encoded)
  const most = table.asked.values
  const refused = (how) => ({ fault: `"${name}" ${how}.`, about: null })
  const strange = (values) => {
    // `unlike` says how to write values of a form with ranges.
    const written = form in table.ranged ? [] : [...new Set(values)].filter((value) => value).slice(0, most)
    return { fault: unlike(name, form, table), about: written.length ? [name, written] : null }
  }
  const wrong = (value) => !isOf(form, value, table)
  const plain = (value) => (form === 'number' ? plainNumber(value) : value)
  const at = raw.indexOf('..')
  if (at >= 0 && form in table.ranged) {
    const ends = [raw.slice(0, at), raw.slice(at + 2)]
    if (!ends[0] && !ends[1]) return refused('has a range with no start and no end')
    const off = ends.filter((end) => end && wrong(end))
    if (off.length) return strange(off)
    const low = ends[0] ? plain(ends[0]) : null
    const high = ends[1] ? plain(ends[1]) : null
    const after = form === 'number' ? Number(low) > Number(high) : low > high
    if (low !== null && high !== null && after) return refused('has a range that ends before it begins')
    return { how: 'range', low, high, text: `${low ?? ''}..${high ?? ''}` }
  }
  const how = /^(?:all|not):/.test(raw) ? raw.slice(0, 3) : 'any'
  const parts = (how === 'any' ? raw : raw.slice(4)).split(',')
  if (parts.some(wrong)) return strange(parts.filter(wrong))
  const sorted = parts.map(plain).sort()
  const values = sorted.filter((value, i) => value !== sorted[i - 1])
  if (values.length > most) return refused(`takes at most ${most} different values`)
  const joined = values.join(',')
  if (how === 'not' || (how === 'all' && values.length > 1)) return { how, values, text: `${how}:${joined}` }
  return { how: 'any', values, text: joined }
}

// The label of a filter and other words for it; "" if it is no filter with a label.
export function wordsFor(name, list, table) {
  const label = table.index.labels[list.name][name]
  return label === undefined ? '' : `${label} ${table.index.also[list.name][name] ?? ''}`.trim()
}

// The names that are near to a text, by themselves or by the labels of a list's filters; all names if none is near. A sort
// has the label of its filter.
export function nearOrAll(text, names, list, table) {
  const near = nearest(text, names.map((name) => [name, wordsFor(name.replace(/^-/, ''), list, table)]), table)
  return near.length ? near : names
}

// Add { by, per, like } to a count; returns a refusal, or undefined.
function count(query, values, forms, list, table) {
  const filters = Object.keys(forms).filter((name) => forms[name] && sourcesOf(name, table)[0] === name)
  const by = values.by === undefined ? [] : plainMarks(values.by).split(',')
  const per = values.per === undefined ? null : plainMarks(values.per)
  const asked = [...by.map((name) => ['by', name]), ...(per === null ? [] : [['per', per]])]
  const [word, strange] = asked.find(([, name]) => !filters.includes(name)) ?? []
  if (word) {
    const what = `There is no filter "${shown(strange)}" to count ${word}.`
    return problem(table, 'invalid-parameter', what, nearOrAll(strange, filters, list, table))
  }
  if (by.length > table.asked.by || new Set(by).size < by.length) {
    return problem(table, 'invalid-parameter', `by takes at most ${table.asked.by} different filters.`, filters)
  }
  if (per !== null && (by.length !== 1 || by.includes(per))) {
    return problem(table, 'invalid-parameter', 'per needs exactly one filter in by, and another one for itself.')
  }
  Object.assign(query, { by, per, like: null })
  if (values.like === undefined) return undefined
  if (!by.length) return problem(table, 'invalid-parameter', 'like can only be used together with by.')
  const { text, fault } = textOf(values.like, 'like', table)
  query.like = text
  return fault ? problem(table, 'invalid-parameter', fault) : undefined
}

// Add { fields, columns, limit } to a query for rows; the slug is always the first column. Returns a refusal, or undefined.
function rows(query, values, forms, list, table) {
  const { most, fields: first, limit: usual, rows: longest } = table.asked.rows
  const known = Object.keys(table.index.fields[list.name])
  const fields = values.fields === undefined ? first : plainMarks(values.fields).split(',')
  const refused = (detail, allowed) => problem(table, 'invalid-parameter', detail, allowed)
  const strange = fields.find((name) => !known.includes(name))
  if (strange !== undefined) {
    return refused(`There is no field "${shown(strange)}" for rows.`, nearOrAll(strange, known, list, table))
  }
  if (fields.length > most || new Set(fields).size < fields.length) {
    return refused(`fields takes 1 to ${most} different fields.`, known)
  }
  const found = fields.find((name) => table.index.fields[list.name][name] === 'found')
  if (found && values.q === undefined) return refused(`${found} can only be used together with q.`)
  const limit = values.limit ?? `${usual}`
  if (!/^[1-9][0-9]?$/.test(limit) || Number(limit) > longest) {
    return refused(`limit must be a whole number from 1 to ${longest}.`, ['1', `${longest}`])
  }
  Object.assign(query, { fields, columns: [...new Set(['slug', ...fields])], limit: Number(limit) })
}

// The names of forms without others.
const without = (others, forms) => Object.keys(forms).filter((name) => !others.includes(name))

// The functions that `route` uses where queries are answered; feeds.mjs adds its own.
export const reading = { text: textOf, constraint, page: () => {}, count, rows, without, near: nearOrAll }
