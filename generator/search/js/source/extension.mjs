// Data extension of the Reconciliation Service API: some fields of the records with some slugs.
import { Damaged } from './bytes.mjs'
import { filesOf, findNames, lettersIn, linesOf, seekName } from './candidates.mjs'
import { cellsOf, fieldsOf } from './more/cells.mjs'
import { keysOf, nameIn } from './names.mjs'
import { rowsAt } from './rows.mjs'
import { earlyFiles } from './search.mjs'

// The cells of each slug that a record has, by slug.
export async function extended({ slugs, fields: names }, reader) {
  const { table } = reader
  const fields = fieldsOf(['slug', ...names], reader)
  const columns = fields.flatMap(({ column }) => column ?? [])
  const seeks = slugs.map((slug) => seekName(keysOf(nameIn(slug, table), lettersIn(reader), reader.manifest.split, table)[0], reader))
  await reader.fetch([...columns.flatMap((column) => [column.listed, ...earlyFiles(column)]), ...filesOf(seeks)])
  findNames(seeks, reader)
  const ids = new Map(seeks.flatMap(linesOf).map(([, , slug, id]) => [slug, id]))
  const known = slugs.filter((slug) => ids.has(slug))
  const positions = known.map((slug) => positionOf(ids.get(slug), reader))
  const late = columns.flatMap((column) => column.files(positions)).filter((file) => !reader.have(...file))
  if (late.length) await reader.fetch(late)
  const found = new Map(cellsOf(fields, positions, await rowsAt(positions, [], reader)).map(([slug, ...cells]) => [slug, cells]))
  if (found.size !== known.length || !known.every((slug) => found.has(slug))) throw new Damaged()
  reader.inTime()
  return found
}

// The position of a record's id.
function positionOf(id, { table: { index: { block } }, blocks: { first, held } }) {
  const slot = Math.floor(Number(id) / block)
  const place = Number(id) % block
  if (!/^[0-9]{1,8}$/.test(id) || !(place < held[slot])) throw new Damaged()
  return first[slot] + place
}
