// Which files the rows of an answer are taken from: files of rows, and the prepared pages of lists that the query is about,
// whichever take fewer bytes.
import { Damaged, linesIn, numbersOf } from './bytes.mjs'
import { fill } from './route.mjs'

// What a read costs beside its bytes, in bytes of rows, which compress well; and more than it is ever reckoned to cost.
const [A_READ, MOST] = [4096, 2 ** 40]

// The encoded summaries of positions.  `lists` have prepared pages with some of them, each as { path, pages, marks } or
// { path, pages, places }: the path of a page, the key that was looked for with their checks, which records the list has, or
// how many of its records are before each of these positions.
export async function rowsAt(positions, lists, reader) {
  const wanted = Array.from(positions)
  const { count, rows: levels } = reader.manifest
  const files = levels.map((size) => ({ size, count, what: `rows/${size}`, places: new Map(wanted.map((p) => [p, p])) }))
  const sources = [...files, ...lists.flatMap((list) => pagesOf(list, wanted, reader))]
  const rows = await read(wanted, sources, reader)
  // A prepared page of another build is no fault.
  const lost = wanted.filter((p) => !rows.has(p))
  const more = lost.length ? await read(lost, files, reader) : rows
  return wanted.map((p) => rows.get(p) ?? more.get(p))
}

// The pages of a list, where the index has their checks and the list some of the positions.
function pagesOf({ path, pages, marks, places: known }, wanted, { manifest: { size, count: records } }) {
  const [body] = pages.bodies
  const places = known ?? placesIn(marks, wanted)
  if (!body || !places.size) return []
  const checks = numbersOf(body[0], 4)
  let count = marks ? 0 : records
  if (marks) for (let p = 0; p < records; p++) count += marks[p]
  if (checks.length !== Math.max(1, Math.ceil(count / size))) throw new Damaged()
  return [{ size, count, path, checks, places }]
}

// How many marked records are before each of these that is marked.
function placesIn(marks, wanted) {
  const places = new Map()
  let [place, at] = [0, 0]
  for (const p of wanted.filter((p) => marks[p]).sort((a, b) => a - b)) {
    for (; at < p; at++) place += marks[at]
    places.set(p, place)
  }
  return places
}

// The rows of positions, as far as the files that they are taken from are the ones that are meant.
async function read(wanted, sources, reader) {
  const { row_bytes: bytes } = reader.manifest
  const chosen = cover(wanted, sources, bytes, reader.most.reads - reader.reads)
  const files = [...new Set(chosen)]
  const parts = files.filter(({ source }) => source.what).map(({ source, n }) => [source.what, n])
  const pageAt = ({ source, n }) => fill(source.path, { page: n + 1 })
  const pages = files.filter(({ source }) => source.path).map((file) => [pageAt(file), file.source.checks[file.n]])
  await reader.fetch(parts, pages, files.reduce((sum, { source }) => sum + source.size * bytes, 0))
  const lines = new Map()
  for (const file of files) {
    const { source, n } = file
    const data = source.what ? reader.have(source.what, n) : reader.page(pageAt(file))
    if (!data) continue
    const inside = source.what && data[data.length - 1] === 10 ? data.subarray(0, -1) : data
    lines.set(file, linesIn(inside, !source.what, Math.min(source.size, source.count - n * source.size)))
  }
  const rows = new Map()
  wanted.forEach((p, i) => {
    const { source } = chosen[i]
    const held = lines.get(chosen[i])
    if (held) rows.set(p, held[source.places.get(p) % source.size])
  })
  return rows
}

// For each position the file that its row is read from: of all files again and again the one that costs least for each row
// that it adds.  Where that takes more than `most` files, a read is reckoned dearer, until it does not, or no more can be saved.
function cover(wanted, sources, bytes, most) {
  for (let read = A_READ; ; read *= 2) {
    const chosen = cheapest(wanted, sources, bytes, read)
    if (new Set(chosen).size <= most || read >= MOST) return chosen
  }
}

function cheapest(wanted, sources, bytes, read) {
  const files = sources.flatMap((source) => {
    const own = new Map()
    wanted.forEach((p, i) => {
      if (!source.places.has(p)) return
      const n = Math.floor(source.places.get(p) / source.size)
      if (!own.has(n)) own.set(n, { source, n, rows: new Set() })
      own.get(n).rows.add(i)
    })
    return [...own.values()].sort((a, b) => a.n - b.n)
  })
  const chosen = []
  for (let left = wanted.length; left; ) {
    let best = files[0]
    const cost = ({ source, rows }) => (read + source.size * bytes) / rows.size
    for (const file of files) if (cost(file) < cost(best)) best = file
    const rows = [...best.rows]
    left -= rows.length
    for (const i of rows) chosen[i] = best
    for (const file of files) for (const i of rows) file.rows.delete(i)
  }
  return chosen
}
