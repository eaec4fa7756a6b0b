// The list document that answers a query: its rows as they are in files, and what is written around them.
import { Damaged, encoder, linesIn, rowsIn } from './bytes.mjs'
import { fill } from './route.mjs'

// The encoded summaries: from files of a few rows; from pages, and blocks of pages, where those would be too many.
export async function rowsAt(positions, reader, manifest) {
  const { rows, size, pages_a_block: many, checks } = manifest
  const pageAt = (page) => reader.list.root + fill(reader.table.files.plain, { page })
  const pathOf = ([level, n]) => (level === 'pages' ? pageAt(n + 1) : reader.path(level, n))
  const sizes = Object.entries({ rows, pages: size, blocks: size * many }).filter(([, held]) => held)
  const files = cover(positions, sizes, reader.most.reads - reader.reads)
  const distinct = [...new Map(files.map((file) => [pathOf(file), file]))]
  const expected = distinct.reduce((sum, [, [level, n]]) => sum + (level === 'blocks' ? manifest.block_bytes[n] : 0), 0)
  const read = await reader.files(distinct.map(([path, [level, n]]) => [path, checks[level][n]]), expected)
  const rowsOf = (data, [level, n, held]) => {
    const paged = level === 'pages'
    const inside = paged ? rowsIn(data) : data.subarray(0, data.length - (data[data.length - 1] === 10))
    return linesIn(inside, paged, Math.min(held, manifest.count - n * held))
  }
  const lines = new Map(distinct.map(([path, file]) => [path, rowsOf(read.get(path), file)]))
  return files.map((file, i) => lines.get(pathOf(file))[positions[i] % file[2]])
}

// For each position the file that its row is read from, as [level, number, rows a file].  `levels` have so many rows a file,
// ever more.  Where files of one level are more than `most`, some of the next take their place, those first that take the
// place of most.
function cover(positions, [[first, rows], ...larger], most) {
  let files = Array.from(positions, (p) => [first, Math.floor(p / rows), rows])
  const names = (of) => new Set(of.map(([level, n]) => `${level} ${n}`))
  for (const [level, size] of larger) {
    const replaced = new Map()
    files.forEach((file, i) => {
      const n = Math.floor(positions[i] / size)
      replaced.set(n, [...(replaced.get(n) ?? []), file])
    })
    const gains = [...replaced].map(([n, held]) => [n, names(held).size]).sort(([a, m], [b, n]) => n - m || a - b)
    for (const [n, gain] of gains) {
      if (names(files).size <= most || gain < 2) break
      files = files.map((file, i) => (Math.floor(positions[i] / size) === n ? [level, n, size] : file))
    }
  }
  return files
}

// The address of a page of the answer, its parameters in canonical order.
export function address({ collection, q, filters, sort }, page, table) {
  const pairs = ['mode=page']
  if (q !== null) pairs.push(`q=${quoted(q)}`)
  for (const [name, value] of Object.entries(filters)) pairs.push(`${name}=${value}`)
  if (sort) pairs.push(`sort=${sort}`)
  if (page !== 1) pairs.push(`page=${page}`)
  return `${table.prefix}${table.lists.find(({ name }) => name === collection).root}?${pairs.join('&')}`
}

export function listBytes(query, rows, count, pages, manifest, table) {
  const list = table.lists.find(({ name }) => name === query.collection)
  const { page: number, order, q, filters } = query
  const at = (page) => address(query, page, table)
  const head = {
    schema_version: table.schema_version,
    kind: `${table.kinds[list.name]}_list`,
    ...(manifest.as_of === null ? {} : { as_of: manifest.as_of }),
    query: { mode: 'page', page: number, sort: order, q, filters },
    page: { number, size: manifest.size, count: rows.length, total_items: count, total_pages: pages },
    links: {
      self: at(number),
      first: at(1),
      prev: number > 1 ? at(number - 1) : null,
      next: number < pages ? at(number + 1) : null,
      last: at(pages),
      filters: table.prefix + list.root + table.files.filters,
    },
  }
  const opening = JSON.stringify(head).slice(0, -1)
  const parts = rows.flatMap((row, i) => [encoder.encode(i ? ',\n' : `${opening},"data":[\n`), row])
  parts.push(encoder.encode(rows.length ? '\n]}\n' : `${opening},"data":[]}\n`))
  const body = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  parts.reduce((start, part) => (body.set(part, start), start + part.length), 0)
  return body
}

// As urllib.parse.quote has it, which escapes five characters more.
function quoted(text) {
  return encodeURIComponent(text).replace(/[!\x27()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
