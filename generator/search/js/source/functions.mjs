// Rows of few fields and calendar feeds: answers of functions, which pages do not ask for. The bundle for browsers leaves this
// module out, and refuses both as hosts of files do.
import { alternatives } from './alternatives.mjs'
import { feedOf, reading, rows } from './asked.mjs'
import { cellsOf } from './cells.mjs'
import { Column } from './columns.mjs'
import { feed } from './feeds.mjs'
import { rowsBytes } from './list.mjs'
import { answers, selected } from './search.mjs'

// A few fields of the first records.
async function narrow(reader) {
  const { query, table, manifest, list } = reader
  const fields = query.fields.map((name) => {
    const [path, type] = table.index.fields[list.name][name]
    return path ? { path: path.split('/'), type } : { column: new Column(name, reader), type }
  })
  const columns = fields.flatMap(({ column }) => column ?? [])
  const { conditions, met, count, wanted, rows } = await selected(reader, query.limit, undefined, columns)
  const instead = count ? [] : await alternatives(conditions, met, null, reader)
  return rowsBytes(query, cellsOf(fields, wanted, rows), count, instead, manifest, table)
}

Object.assign(reading, { rows, feed: feedOf })
Object.assign(answers, { rows: narrow, feed })
