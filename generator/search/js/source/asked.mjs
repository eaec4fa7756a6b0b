// Parse the parameters that only a query tier answers: several values and ranges of a filter, counting, and rows.
import { nearest } from './more.mjs'
import { textOf } from './folding.mjs'
import { isOf, plainMarks, problem, shown, unlike } from './route.mjs'

// A number in its shortest spelling: 1.5 for 1.50.
function plainNumber(text) {
  const parts = /^(-?)([0-9]+)(?:\.([0-9]*?)0*)?(?:[eE]([-+]?)0*([0-9]*))?$/.exec(text)
  const digits = parts[2] + (parts[3] ? `.${parts[3]}` : '')
  if (digits === '0') return '0'
  return parts[1] + digits + (parts[5] ? `e${parts[4] === '-' ? '-' : ''}${parts[5]}` : '')
}

// Parse a constraint: { conditions, text } with its conditions, in canonical order, and its canonical spelling. A condition is
// { how: 'any' | 'all' | 'not', values } with different values, sorted, or { how: 'range', low, high } with at most one end
// null. A constraint that is not valid gives { fault, about }.
export function constraint(name, form, encoded, table) {
  const parts = plainMarks(encoded).split(';').map((raw) => condition(name, form, raw, table))
  const wrong = parts.find(({ fault }) => fault)
  if (wrong) return wrong
  const plain = parts.some(({ how }) => how === 'any' || how === 'range')
  // A single value is written without `all:`, where no other condition is.
  for (const part of parts) if (part.how === 'all' && !plain && part.values.length === 1) Object.assign(part, { how: 'any', text: part.values[0] })
  const places = parts.map(({ how }) => ['not', 'all'].indexOf(how))
  if (new Set(places).size < places.length) {
    return { fault: `"${name}" takes one condition of values or a range, one with all: and one with not:, joined by semicolons.`, about: null }
  }
  const conditions = HOW.flatMap((how) => parts.filter((part) => part.how === how))
  return { conditions, text: conditions.map(({ text }) => text).join(';') }
}

const HOW = ['any', 'range', 'all', 'not']

function condition(name, form, raw, table) {
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
  return { how, values, text: `${how === 'any' ? '' : `${how}:`}${values}` }
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

// The whole number of a parameter, null if it is not given. Throws a refusal.
function wholeNumber(values, name, least, most, table) {
  if (values[name] === undefined) return null
  const number = Number(values[name])
  if (/^(0|[1-9][0-9]{0,8})$/.test(values[name]) && number >= least && number <= most) return number
  const to = most < table.asked.start ? ` to ${most}` : ''
  throw problem(table, 'invalid-parameter', `${name} must be a whole number from ${least}${to}.`, to ? [`${least}`, `${most}`] : undefined)
}

// One of the words that a parameter takes, null if it is not given. Throws a refusal.
function wordOf(values, name, known, list, table) {
  const given = values[name]
  if (given === undefined || known.includes(given)) return given ?? null
  throw problem(table, 'invalid-parameter', `${name} cannot be "${shown(given)}".`, nearOrAll(given, known, list, table))
}

// A function that returns the refusal that `read` throws.
const refusing = (read) => (...asked) => {
  try {
    return read(...asked)
  } catch (error) {
    if (error.problem) return error
    throw error
  }
}

// What a count asks besides the number of records, without anything.
export const PLAIN_COUNT = { by: [], per: null, like: null, level: null, within: false, top: null, stat: null, start: null }

// Add the keys of PLAIN_COUNT to a count; returns or throws a refusal, or returns undefined.
function count(query, values, forms, list, table) {
  const refused = (detail, allowed) => problem(table, 'invalid-parameter', detail, allowed)
  const filters = Object.keys(forms).filter((name) => name in table.index.labels[list.name])
  const by = values.by === undefined ? [] : plainMarks(values.by).split(',')
  const per = values.per === undefined ? null : plainMarks(values.per)
  const asked = [...by.map((name) => ['by', name]), ...(per === null ? [] : [['per', per]])]
  const [word, strange] = asked.find(([, name]) => !filters.includes(name)) ?? []
  if (word) return refused(`There is no filter "${shown(strange)}" to count ${word}.`, nearOrAll(strange, filters, list, table))
  if (by.length > table.asked.by || new Set(by).size < by.length) return refused(`by takes at most ${table.asked.by} different filters.`, filters)
  if (per !== null && (by.length !== 1 || by.includes(per))) {
    return refused('per needs exactly one filter in by, and another one for itself.')
  }
  const alone = table.asked.needs.find((name) => values[name] !== undefined)
  if (alone && !by.length) return refused(`${alone} can only be used together with by.`)
  const { text = null, fault } = values.like === undefined ? {} : textOf(values.like, 'like', table)
  if (fault) return refused(fault)
  const level = wordOf(values, 'level', table.asked.levels, list, table)
  const placed = table.index.placed[list.name]
  if (level && ![...by, per].some((name) => placed.includes(name))) return refused(`level needs ${placed[0] ?? 'places'} in by or per.`)
  const start = wholeNumber(values, 'start', 0, table.asked.start, table)
  if (start !== null && by.length !== 1) return refused('start needs exactly one filter in by.')
  Object.assign(query, {
    by,
    per,
    like: text,
    level,
    within: wordOf(values, 'within', ['true', 'false'], list, table) === 'true',
    top: wholeNumber(values, 'top', 1, table.index.most.values, table),
    stat: wordOf(values, 'stat', table.index.stats[list.name], list, table),
    start,
  })
}

// Add { fields, columns, limit, start, type } to a query for rows; the slug is always the first column. Returns or
// throws a refusal, or returns undefined.
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
  Object.assign(query, {
    fields,
    columns: [...new Set(['slug', ...fields])],
    limit: wholeNumber(values, 'limit', 1, longest, table) ?? usual,
    start: wholeNumber(values, 'start', 0, table.asked.start, table),
    ...(wordOf(values, 'format', table.asked.formats, list, table) === 'csv' ? { type: table.asked.csv } : {}),
  })
}

// The names of forms without others.
const without = (others, forms) => Object.keys(forms).filter((name) => !others.includes(name))

// The functions that `route` uses where queries are answered; feeds.mjs adds its own.
export const reading = { text: textOf, constraint, page: () => {}, count: refusing(count), rows: refusing(rows), without, near: nearOrAll }
