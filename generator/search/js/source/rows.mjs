// Choose the files that the rows of an answer are read from: row files, and the prepared pages of lists that the query is
// about, whichever take fewer bytes.
import { Damaged, linesIn, numbersOf } from './bytes.mjs'
import { fill } from './route.mjs'
import { checkOf } from './shards.mjs'

// The cost of a read besides its bytes, in bytes of rows, which compress well.
const A_READ = 8192

// The encoded summaries of positions. `lists` have prepared pages with some of them, each as { path, pages, met } or {
// path, pages, places }: the path of a page, the seek of their checks, and the positions of the list or the places of these
// positions in it. `kind` may be that of other files with a line for each record, which have no small ones.
export async function rowsAt(positions, lists, reader, kind = 'rows') {
  const wanted = Array.from(positions)
  const { manifest, blocks } = reader
  const { count, rows: kinds } = manifest
  const places = new Map(wanted.map((p) => [p, p]))
  const files = kinds.map((_, i) => ({ starts: blocks.starts[i && i + 1], count, what: `${kind}/${i}`, places }))
  // The check of a small file is that of its group.
  const [small, groups] = [files[0], blocks.starts[1]]
  small.file = (n) => ['rows/0', blocks.slots[n], checkOf(manifest, 'rows/0', fileOf(groups, small.starts[n]))]
  if (kind !== 'rows') files.shift()
  const sources = [...files, ...lists.flatMap((list) => pagesOf(list, wanted, reader))]
  const rows = await read(wanted, sources, reader)
  // A prepared page of another build is not an error.
  const lost = wanted.filter((p) => !rows.has(p))
  const more = lost.length ? await read(lost, files, reader) : rows
  return wanted.map((p) => rows.get(p) ?? more.get(p))
}

// The pages of a list as a source, if the index has their checks and the list has some of the positions.
function pagesOf({ path, pages, met, places: known }, wanted, { manifest: { size, count: records } }) {
  const [body] = pages.bodies
  const places = known ?? placesIn(met, wanted)
  if (!body || !places.size) return []
  const checks = numbersOf(body[0], 4)
  const count = met ? met.length : records
  if (checks.length !== Math.max(1, Math.ceil(count / size))) throw new Damaged()
  return [{ starts: Array.from(checks, (_, n) => n * size), count, path, checks, places }]
}

// By position, its place in a list of positions, for those of these that are in it.
function placesIn(met, wanted) {
  const found = wanted.map((p) => [p, fileOf(met, p)])
  return new Map(found.filter(([p, place]) => met[place] === p))
}

// The rows of positions, except those of pages that do not match.
async function read(wanted, sources, reader) {
  const { row_bytes: bytes } = reader.manifest
  const chosen = cover(wanted, sources, bytes, reader.most.reads - reader.reads)
  const files = [...new Set(chosen)]
  const partOf = ({ source, n }) => (source.file ? source.file(n) : [source.what, n])
  const parts = files.filter(({ source }) => source.what).map(partOf)
  const pageAt = ({ source, n }) => fill(source.path, { page: n + 1 })
  const pages = files.filter(({ source }) => source.path).map((file) => [pageAt(file), file.source.checks[file.n]])
  await reader.fetch(parts, pages, files.reduce((sum, file) => sum + sizeOf(file) * bytes, 0))
  const lines = new Map()
  for (const file of files) {
    const { source } = file
    const data = source.what ? reader.have(...partOf(file)) : reader.page(pageAt(file))
    if (!data) continue
    const inside = source.what && data[data.length - 1] === 10 ? data.subarray(0, -1) : data
    lines.set(file, linesIn(inside, !source.what, sizeOf(file)))
  }
  const rows = new Map()
  wanted.forEach((p, i) => {
    const { source, n } = chosen[i]
    const held = lines.get(chosen[i])
    if (held) rows.set(p, held[source.places.get(p) - source.starts[n]])
  })
  return rows
}

// The number of the file that has a place; `starts` has the place at which each file begins.
function fileOf(starts, place) {
  let [first, end] = [0, starts.length]
  while (end - first > 1) {
    const middle = (first + end) >> 1
    if (starts[middle] > place) end = middle
    else first = middle
  }
  return first
}

const sizeOf = ({ source: { starts, count }, n }) => (starts[n + 1] ?? count) - starts[n]

// For each position the file to read its row from. Greedy: repeatedly the file that costs least for each row that it adds.
// If that takes more than `most` files, one file replaces several, repeatedly the one with the fewest additional rows for
// each file that it saves, as long as any saves one.
function cover(wanted, sources, bytes, most) {
  const files = sources.flatMap((source) => {
    const own = new Map()
    wanted.forEach((p, i) => {
      if (!source.places.has(p)) return
      const n = fileOf(source.starts, source.places.get(p))
      if (!own.has(n)) own.set(n, { source, n, rows: [] })
      own.get(n).rows.push(i)
    })
    return [...own.values()].sort((a, b) => a.n - b.n)
  })
  const chosen = cheapest(wanted, files, bytes)
  while (new Set(chosen).size > most && saved(chosen, files));
  return chosen
}

function cheapest(wanted, files, bytes) {
  const having = wanted.map(() => [])
  for (const file of files) {
    file.left = file.rows.length
    file.cost = A_READ + sizeOf(file) * bytes
    for (const i of file.rows) having[i].push(file)
  }
  const chosen = []
  for (let missing = wanted.length; missing; ) {
    let best = files[0]
    for (const file of files) if (file.cost * best.left < best.cost * file.left) best = file
    for (const i of best.rows) {
      if (chosen[i]) continue
      chosen[i] = best
      missing--
      for (const file of having[i]) file.left--
    }
  }
  return chosen
}

// Replace several files by one; returns undefined if no file saves any.
function saved(chosen, files) {
  const taken = new Map()
  chosen.forEach((file, i) => taken.set(file, [...(taken.get(file) ?? []), i]))
  let best
  let least = Infinity
  for (const file of files) {
    const held = new Set(file.rows)
    const others = [...new Set(file.rows.map((i) => chosen[i]))]
    const replaced = others.filter((other) => other !== file && taken.get(other).every((i) => held.has(i)))
    const added = taken.has(file) ? 0 : 1
    const count = replaced.length - added
    if (count <= 0) continue
    const more = (sizeOf(file) * added - replaced.reduce((sum, other) => sum + sizeOf(other), 0)) / count
    if (more < least) [best, least] = [{ file, rows: replaced.flatMap((other) => taken.get(other)) }, more]
  }
  for (const i of best?.rows ?? []) chosen[i] = best.file
  return best
}
