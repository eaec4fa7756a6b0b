// Continents and countries by their names, from a file that is only read for refusals.
import { decoded } from '../bytes.mjs'
import { runsOf } from '../folding.mjs'

// The continent or the country that a text names by its code or a name, as { value, label }; null if it names none.
export async function placeNamed(text, read, table) {
  const bytes = await read(table.index.places)
  if (!bytes) return null
  const plain = text.replace(/\./g, '').replace(/['\u2019]/g, ' ').replace(/&/g, ' and ')
  const key = runsOf(plain, table).join('-').replace(/^(?:the|der|die|das|le|la|les)-/, '')
  if (!key) return null
  const lines = decoded(bytes).split('\n').map((line) => line.split('\t'))
  const [value, label] = lines.find(([, , names = '']) => names.split(' ').includes(key)) ?? []
  return value ? { value, label } : null
}
