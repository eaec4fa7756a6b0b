// Search over all collections: the best records of each for some words. generator/search/everything.py does the same in
// Python.
import { conditionsOf, meeting, meetingAll, readsOf } from './conditions.mjs'
import { searchBytes } from './list.mjs'
import { rowsAt } from './rows.mjs'
import { ranked } from './score.mjs'
import { suggested } from './suggested.mjs'

// Maximum suggestions.
const MOST = 5

// The queries of a search, one for each collection.
export const queriesOf = ({ q }, { lists }) =>
  lists.map(({ name }) => ({ collection: name, mode: 'page', filters: {}, q, sort: '', order: 'relevance', page: 1 }))

// The values of promises. Waits for all of them; then throws the error of the first that failed in this order.
export async function inOrder(promises) {
  const settled = await Promise.allSettled(promises)
  return settled.map(({ status, value, reason }) => {
    if (status === 'rejected') throw reason
    return value
  })
}

// The document of a search; `readers` has one for each collection.
export async function everything(readers, query) {
  const { table } = readers[0]
  const searches = readers.filter(({ manifest }) => manifest.count).map((reader) => ({ reader, words: conditionsOf(reader) }))
  share(searches, readers.length)
  await inOrder(searches.map(best))
  const found = readers.map((reader) => {
    const { total, rows } = searches.find((one) => one.reader === reader) ?? { total: 0, rows: [] }
    return { query: reader.query, total, rows }
  })
  const suggestions = found.some(({ total }) => total) ? [] : await suggestedIn(searches)
  return searchBytes(query, found, suggestions, table)
}

// Divide the bounds of a query: each collection has the reads that its words need, and an equal part of the others, and of
// the bytes. `manifests` were read before.
function share(searches, manifests) {
  if (!searches.length) return
  const [{ reader: first }] = searches
  const { reads, bytes } = first.most
  const needed = searches.map(({ words }) => readsOf(words))
  first.reads = manifests
  first.bound(needed.reduce((sum, number) => sum + number, 0), 0)
  const left = Math.floor((reads - first.reads) / searches.length)
  searches.forEach(({ reader }, i) => {
    reader.reads = reads - left - needed[i]
    reader.bytes = bytes - Math.floor(bytes / searches.length)
  })
}

// Add the number of records that have all words, and the rows of the best.
async function best(search) {
  const { reader, words } = search
  const positions = meetingAll(words, await meeting(words, [], [], reader, true))
  const order = ranked(positions, words, words[0].named, reader.manifest.count)
  search.total = positions.length
  search.rows = await rowsAt(order.subarray(0, reader.most.best), [], reader)
}

// Suggestions: the first of each collection, then the second of each, and so on.
async function suggestedIn(searches) {
  const found = await inOrder(searches.map(({ reader, words }) => suggested(words, reader)))
  const texts = [...Array(MOST).keys()].flatMap((n) => found.flatMap((some) => some.slice(n, n + 1).map(({ q }) => q)))
  return [...new Set(texts)].slice(0, MOST)
}
