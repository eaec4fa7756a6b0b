// Parse and check the manifest of a collection's index.
import { blocksIn } from './blocks.mjs'
import { Damaged, decoded, isSealed } from './bytes.mjs'
import { damaged, unavailable } from './refusals.mjs'

// Whether it is a whole number within bounds.
const isWhole = (number, least, most) => Number.isInteger(number) && number >= least && number <= most

const isText = (text, pattern) => typeof text === 'string' && pattern.test(text)

export function parsed(raw, collection, table) {
  const { most, format } = table.index
  const { unicode } = table.folding
  let found
  try {
    found = raw.length <= most.manifest ? JSON.parse(decoded(raw)) : null
    if (found.kind !== 'search_index' || !isWhole(found.format, 0, 2 ** 30)) throw new Damaged()
    if (found.format !== format) {
      throw foreign(`has the format ${found.format}; this program reads ${format}`, table)
    }
    if (!isSealed(raw) || found.collection !== collection.name) throw new Damaged()
    if (!isText(found.unicode, /^[0-9]{1,3}(\.[0-9]{1,3}){1,2}$/)) throw new Damaged()
    if (found.unicode !== unicode) {
      throw foreign(`has Unicode ${found.unicode}; this program has Unicode ${unicode}`, table)
    }
    return held(found, collection, table)
  } catch (error) {
    throw error.status ? error : damaged('its manifest has an unexpected form', table)
  }
}

// Check that each number is within its bounds and that the numbers of files match; else throws.
function held(found, { name: collection }, table) {
  const { index: { most, columns: known }, feeds } = table
  const names = new Set(known[collection])
  const { count, size, as_of: day, language, shards, split, row_bytes: bytes, columns, files } = found
  const strange = [...Object.keys(columns), ...names].filter((name) => !names.has(name) || !Object.hasOwn(columns, name))
  if (strange.length) {
    const shown = strange.filter((name) => /^[a-z0-9_]+$/.test(name)).slice(0, 5)
    throw foreign(`of ${collection} has other columns than this program knows (${shown.join(', ')})`, table)
  }
  const [spelled, named, identified] = [files.spell, files.names, files.ids ?? 'AAAAAA=='].map(checksIn)
  const levels = ['rows/0', 'rows/1', 'rows/2'].filter((what, i) => i < 2 || what in files)
  const wanted = { keys: shards, spell: spelled, names: named, ...('ids' in files && { ids: identified }) }
  for (const what of levels) wanted[what] = Math.max(0, checksIn(files[what]))
  if (collection === feeds.of) {
    wanted[feeds.lines] = 1
    for (const what of levels.slice(1)) wanted[what.replace('rows', 'feeds')] = wanted[what]
  }
  for (const name of names) {
    const { type, values, width, counts, chunk } = columns[name]
    const right =
      ['text', 'number', 'place'].includes(type) && isWhole(values, 0, counts ? 2 ** 30 : most.records) &&
      width === (values < 2 ** 8 ? 1 : values < 2 ** 16 ? 2 : 4) && [0, 1, 2, 4].includes(counts) && isWhole(chunk, 1, 2 ** 30)
    if (!right) throw new Damaged()
    wanted[`columns/${name}`] = Math.ceil(count / chunk)
    wanted[`columns/${name}/values`] = 1
  }
  const right =
    isWhole(count, 0, most.records) && isWhole(size, 1, most.size) && isWhole(shards, 1, most.records) &&
    !(shards & (shards - 1)) && [spelled, named, identified].every((number) => number > 0 && !(number & (number - 1))) && isWhole(bytes, 0, 2 ** 30) &&
    Object.keys(files).length === Object.keys(wanted).length &&
    Object.entries(wanted).every(([what, number]) => checksIn(files[what]) === number) &&
    isText(language, /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/) && (day === null || isText(day, /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)) &&
    Array.isArray(split) && split.every((group) => typeof group === 'string')
  if (!right) throw new Damaged()
  const rows = levels.map((what) => wanted[what])
  return { ...found, split: new Set(split), spelled, named, identified, rows, blocks: blocksIn(unpacked(found.blocks), count, rows) }
}

const foreign = (how, table) =>
  unavailable(`The search index ${how}. It is damaged, of another version or of other features: build it again.`, table)

// The bytes of a Base64 text.
function unpacked(text) {
  if (checksIn(text) < 0) throw new Damaged()
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

// The number of checks in a Base64 text; each has four bytes.
function checksIn(text) {
  const padding = /^[A-Za-z0-9+/]*(={0,2})$/.exec(text)[1].length
  return text.length % 4 ? -1 : ((text.length / 4) * 3 - padding) / 4
}
