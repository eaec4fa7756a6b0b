// Search over all collections: the best records of each for some words.
import { suggested } from './more.mjs'
import { conditionsOf, meeting, meetingAll, readsOf } from './conditions.mjs'
import { postings, seek } from './keys.mjs'
import { searchBytes } from './list.mjs'
import { fill } from './route.mjs'
import { rowsAt } from './rows.mjs'
import { ranked } from './score.mjs'

// Maximum suggestions.
const MOST = 5
// Minimum letters of words for which the search box looks for suggestions: shorter ones are mostly not typed to the end.
const TYPED = 4

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

// The document of a search; `readers` has one for each collection. With `query.part`, in browsers, the collections together
// have so many rows, in turn, and events that are ahead come before those that are over.
export async function everything(readers, query) {
  const { table } = readers[0]
  const { part, q } = query
  const searches = readers.filter(({ manifest }) => manifest.count).map((reader) => ({ reader, words: conditionsOf(reader) }))
  share(searches, readers.length)
  if (part) {
    await inOrder(searches.map((search) => match(search, seeksAhead(search.reader))))
    const numbers = turns(searches.map(({ total }) => total), part[1])
    await inOrder(searches.map((search, i) => readRows(search, numbers[i])))
  } else await inOrder(searches.map((search) => match(search, []).then(() => readRows(search, search.reader.most.best))))
  const found = readers.map((reader) => {
    const { total, rows } = searches.find((one) => one.reader === reader) ?? { total: 0, rows: [] }
    return { query: reader.query, total, rows }
  })
  const isAnswered = found.some(({ total }) => total) || (part && q.length < TYPED)
  const suggestions = isAnswered ? [] : await suggestedIn(searches)
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

// Add the number of records that have all words, and their positions, the best first; `ahead` are the keys of the records
// that come before others.
async function match(search, ahead) {
  const { reader, words } = search
  const positions = meetingAll(words, await meeting(words, ahead, [], reader))
  const order = ranked(positions, words, words[0].named, reader.manifest.count)
  search.total = positions.length
  search.order = ahead.length ? withAheadFirst(order, ahead, words, reader) : order
}

// Add the rows of the first positions.
async function readRows(search, number) {
  search.rows = await rowsAt(search.order.subarray(0, number), [], search.reader)
}

// The keys of the events that are not over.
const seeksAhead = (reader) =>
  Object.entries(reader.list.fixed).map(([filter, { value }]) => seek(fill(reader.table.index.key, { filter, value }), reader))

// Records whose name is the query come before others; among these and among the others come those with one of the keys, in
// their order, then the rest, the last position first, which is the latest event.
function withAheadFirst(order, keys, words, reader) {
  const { written, split } = words[0].named
  const isAhead = new Uint8Array(reader.manifest.count)
  for (const { bodies } of keys) for (const [body] of bodies) postings(body, reader, (p) => (isAhead[p] = 1))
  const isNamed = (p) => written[p] === words.length || split[p] === words.length
  const all = [...order.filter((p) => isAhead[p]), ...order.filter((p) => !isAhead[p]).sort().reverse()]
  return Uint32Array.from([...all.filter(isNamed), ...all.filter((p) => !isNamed(p))])
}

// How many rows each collection has if they take turns until there are `most`, or all of `totals`.
function turns(totals, most) {
  const numbers = totals.map(() => 0)
  for (let left = most, before = 0; left !== before; ) {
    before = left
    totals.forEach((total, i) => {
      if (!left || numbers[i] === total) return
      numbers[i]++
      left--
    })
  }
  return numbers
}

// Suggestions: the first of each collection, then the second of each, and so on.
async function suggestedIn(searches) {
  const found = await inOrder(searches.map(({ reader, words }) => suggested(words, reader)))
  const texts = [...Array(MOST).keys()].flatMap((n) => found.flatMap((some) => some.slice(n, n + 1).map(({ q }) => q)))
  return [...new Set(texts)].slice(0, MOST)
}
