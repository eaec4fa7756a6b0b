// Counts: exact numbers for a query, and for each value of some filters.
import { alternatives } from './more.mjs'
import { encoder } from './bytes.mjs'
import { Column } from './columns.mjs'
import { conditionsOf, meeting, meetingAll } from './conditions.mjs'
import { wordsOf } from './folding.mjs'
import { address, listUrl, shownAlternatives } from './list.mjs'
import { notesOf } from './notes.mjs'
import { Stats } from './stats.mjs'

// The counts of a query without rows.
export async function counted(reader) {
  const { query, table } = reader
  const conditions = conditionsOf(reader)
  const columns = query.by.map((name) => new Column(name, reader))
  const per = query.per === null ? null : new Column(query.per, reader)
  const stats = query.stat === null ? null : new Stats(query.stat, reader)
  const ownOf = ({ name }) => conditions.find((condition) => condition.name === name)
  // A filter's own constraint does not narrow its counts, unless the query says so.
  const besides = columns.map((column) => (ownOf(column) && !query.within ? 1 : 0))
  const narrowed = (i) => conditions.length > besides[i] || per || stats
  const files = columns.flatMap((column, i) => [column.listed, ...(narrowed(i) ? column.files() : [])])
  const more = [per, stats?.column].flatMap((column) => (column ? [column.listed, ...column.files()] : []))
  const met = await meeting(conditions, [], [...files, ...more], reader)
  const found = meetingAll(conditions, met)
  stats?.begin()
  const beside = per && { lines: per.lines(), flat: per.flat(), isShown: levelOf(per, reader) }
  const counts = columns.map((column, i) => {
    const [lines, own] = [column.lines(), ownOf(column)]
    const marks = new Uint8Array(met.length)
    if (narrowed(i)) {
      for (let p = 0; p < met.length; p++) marks[p] = met[p] - (besides[i] && own.marks[p]) === conditions.length - besides[i]
      const tally = column.tally(marks)
      lines.forEach((line, n) => (line[2] = tally[n + 1]))
    }
    const selected = selectedIn(lines, own, column, table)
    const isShown = levelOf(column, reader)
    let values = lines.filter((line) => line[2] && isShown(line))
    if (query.like !== null) values = values.filter((line) => isLike(query.like, line.slice(0, 2), table))
    const [start, end] = [query.start ?? 0, (query.start ?? 0) + (query.top ?? table.index.most.values)]
    const shown = values.sort(byCount).slice(start, end)
    const members = beside || stats ? membersOf([...shown, ...selected], lines, column, marks) : null
    const entryOf = ([value, label, count]) => {
      const positions = members?.get(column.key(value)) ?? []
      return { value, label, count, ...(beside ? { per: perOf(positions, beside, query, table) } : {}), ...(stats ? { stat: stats.of(positions) } : {}) }
    }
    reader.inTime()
    return [
      column.name,
      {
        label: table.index.labels[reader.list.name][column.name],
        total_values: values.length,
        truncated: values.length > end,
        values: shown.map(entryOf),
        selected: selected.map(entryOf),
      },
    ]
  })
  const instead = found.length ? [] : await alternatives(conditions, met, null, reader)
  return countBytes(query, found.length, stats && stats.of(found), counts, instead, reader)
}

const byCount = (a, b) => b[2] - a[2] || (a[0] < b[0] ? -1 : 1)

// Whether a line of a column is to be shown: of places those of the level that the query asks for.
function levelOf({ name }, { query: { level }, list, table }) {
  const bit = level && table.index.placed[list.name].includes(name) ? 1 << table.asked.levels.indexOf(level) : 0
  return ([, , , levels]) => !bit || (levels & bit) !== 0
}

// Of all values of a filter those that its conditions ask for, in the order of the echo; those inside a range that have a
// count, ascending; none for `not:`.
function selectedIn(lines, own, column, table) {
  const parts = own ? own.parts ?? [own] : []
  const found = parts.filter(({ how }) => how !== 'not').flatMap(({ how, values, low, high }) => {
    if (how === 'range') {
      const [first, end] = column.span(lines, low, high)
      return lines.slice(first, end).filter((line) => line[2]).slice(0, table.index.most.values)
    }
    // A filter without pages may be asked for a value that no record has.
    return values.map((value) => {
      const [, label, count] = lines.find(([known]) => column.key(known) === column.key(value)) ?? [value, value, 0]
      return [value, label, count]
    })
  })
  return found.filter(([value], i) => found.findIndex(([other]) => other === value) === i)
}

// Whether each word of a text begins one of the words of other texts.
function isLike(text, others, table) {
  const known = others.flatMap((other) => wordsOf(other, table))
  return wordsOf(text, table).every((begun) => known.some((word) => word.startsWith(begun)))
}

// By the key of each of some values, the positions of the marked records that have it; the lines count these.
function membersOf(values, lines, column, marks) {
  const wanted = new Set(values.map(([value]) => column.key(value)))
  const found = new Map()
  lines.forEach(([value, , count], n) => {
    if (wanted.has(column.key(value))) found.set(n + 1, { key: column.key(value), positions: new Uint32Array(count), size: 0 })
  })
  column.each((p, number) => {
    const one = marks[p] && found.get(number)
    if (one) one.positions[one.size++] = p
  })
  return new Map([...found.values()].map(({ key, positions }) => [key, positions]))
}

// The most frequent values of another column among the records at some positions.
function perOf(positions, { lines, flat: [starts, numbers], isShown }, { top }, { index: { most } }) {
  const tally = new Uint32Array(lines.length + 1)
  for (const p of positions) for (let i = starts[p]; i < starts[p + 1]; i++) tally[numbers[i]]++
  const values = lines.flatMap((line, n) => (tally[n + 1] && isShown(line) ? [[line[0], line[1], tally[n + 1]]] : []))
  return values.sort(byCount).slice(0, Math.min(top ?? most.per, most.per)).map(([value, label, count]) => ({ value, label, count }))
}

// The count document; `counts` has the name of each counted filter and its values.
function countBytes(query, total, stat, counts, alternatives, { list, table, manifest: { as_of: day } }) {
  const { mode, q, filters, by, like, per, level, within, top, stat: name, start } = query
  const listed = { collection: list.name, mode: 'page', q, filters, sort: '', order: list.sorts[0], page: 1 }
  const document = {
    schema_version: table.schema_version,
    kind: `${table.kinds[list.name]}_count`,
    ...(day === null ? {} : { as_of: day }),
    query: { mode, q, filters, by, like, per, level, within, top, stat: name, start },
    total_items: total,
    ...(stat ? { stat } : {}),
    links: { self: address(query, 1, table), list: listUrl(listed, table) },
    alternatives: shownAlternatives(alternatives, listed, table),
    notes: notesOf(query, list, table),
    counts: Object.fromEntries(counts),
  }
  return encoder.encode(`${JSON.stringify(document)}\n`)
}
