// Counts: exact numbers for a query, and for each value of some filters.
import { alternatives } from './alternatives.mjs'
import { encoder } from './bytes.mjs'
import { Column } from './columns.mjs'
import { conditionsOf, meeting } from './conditions.mjs'
import { wordsOf } from './folding.mjs'
import { address, listUrl, shownAlternatives } from './list.mjs'

// The counts of a query without rows.
export async function counted(reader) {
  const { query, table } = reader
  const conditions = conditionsOf(reader)
  const columns = query.by.map((name) => new Column(name, reader))
  const per = query.per === null ? null : new Column(query.per, reader)
  const others = columns.map(({ name }) => conditions.filter((condition) => condition.name !== name))
  const narrowed = (i) => others[i].length || per
  const files = columns.flatMap((column, i) => [column.listed, ...(narrowed(i) ? column.files() : [])])
  const met = await meeting(conditions, [], [...files, ...(per ? [per.listed, ...per.files()] : [])], reader)
  let total = 0
  for (let p = 0; p < met.length; p++) if (met[p] === conditions.length) total++
  const counts = columns.map((column, i) => {
    const lines = column.lines()
    const own = conditions.find((condition) => condition.name === column.name)
    // A filter's own constraint does not narrow its counts.
    const marks = new Uint8Array(met.length)
    if (narrowed(i)) {
      for (let p = 0; p < met.length; p++) marks[p] = met[p] - (own ? own.marks[p] : 0) === others[i].length
      const tally = column.tally(marks)
      lines.forEach((line, n) => (line[2] = tally[n + 1]))
    }
    const selected = selectedIn(lines, own, column, table)
    let values = lines.filter((line) => line[2])
    if (query.like !== null) values = values.filter((line) => isLike(query.like, line.slice(0, 2), table))
    values.sort(byCount)
    const shown = { name: column.name, found: values.length, values: values.slice(0, table.index.most.values), selected }
    if (per) addPer(shown, lines, column, per, marks, table)
    reader.inTime()
    return shown
  })
  const instead = total ? [] : await alternatives(conditions, met, null, reader)
  return countBytes(query, total, counts, instead, reader)
}

const byCount = (a, b) => b[2] - a[2] || (a[0] < b[0] ? -1 : 1)

// Of all values of a filter those that its condition asks for, in the order of the echo; those inside a range that have a
// count, ascending; none for `not:`.
function selectedIn(lines, own, column, table) {
  if (!own || own.how === 'not') return []
  if (own.how === 'range') {
    const [first, end] = column.span(lines, own.low, own.high)
    return lines.slice(first, end).filter((line) => line[2]).slice(0, table.index.most.values)
  }
  // A filter without pages may be asked for a value that no record has.
  return own.values.map((value) => {
    const [, label, count] = lines.find(([known]) => column.key(known) === column.key(value)) ?? [value, value, 0]
    return [value, label, count]
  })
}

// Whether each word of a text begins one of the words of other texts.
function isLike(text, others, table) {
  const known = others.flatMap((other) => wordsOf(other, table))
  return wordsOf(text, table).every((begun) => known.some((word) => word.startsWith(begun)))
}

// Add to the values of a filter those of another column among their records that are marked. `lines` are all values.
function addPer(shown, lines, column, per, marks, table) {
  const numbered = new Map(lines.map(([value], n) => [column.key(value), n + 1]))
  const numberOf = (value) => numbered.get(column.key(value))
  const wanted = new Map([...shown.values, ...shown.selected].map(([value]) => [numberOf(value), null]))
  const [beside, [starts, numbers]] = [per.lines(), per.flat()]
  for (const number of wanted.keys()) wanted.set(number, new Uint32Array(beside.length + 1))
  column.each((p, number) => {
    const tally = marks[p] && wanted.get(number)
    if (tally) for (let i = starts[p]; i < starts[p + 1]; i++) tally[numbers[i]]++
  })
  const withPer = ([value, label, count]) => {
    const tally = wanted.get(numberOf(value))
    const values = beside.map(([other, name], n) => [other, name, tally[n + 1]]).filter((line) => line[2]).sort(byCount)
    return [value, label, count, values.slice(0, table.index.most.per)]
  }
  Object.assign(shown, { values: shown.values.map(withPer), selected: shown.selected.map(withPer) })
}

// The count document. `counts` has for each counted filter the values to show, each as [value, label, count, values of the
// filter in `per`].
function countBytes(query, total, counts, alternatives, { list, table, manifest: { as_of: day } }) {
  const { q, filters, by, like, per } = query
  const listed = { collection: list.name, mode: 'page', q, filters, sort: '', order: list.sorts[0], page: 1 }
  const plain = (values) =>
    values.map(([value, label, count, others]) => ({ value, label, count, ...(others ? { per: plain(others) } : {}) }))
  const shown = counts.map(({ name, found, values, selected }) => {
    const label = table.index.labels[list.name][name]
    const truncated = found > values.length
    return [name, { label, total_values: found, truncated, values: plain(values), selected: plain(selected) }]
  })
  const document = {
    schema_version: table.schema_version,
    kind: `${table.kinds[list.name]}_count`,
    ...(day === null ? {} : { as_of: day }),
    query: { mode: query.mode, q, filters, by, like, per },
    total_items: total,
    links: { self: address(query, 1, table), list: listUrl(listed, table) },
    alternatives: shownAlternatives(alternatives, listed, table),
    counts: Object.fromEntries(shown),
  }
  return encoder.encode(`${JSON.stringify(document)}\n`)
}
