// The documents of lists and searches: summaries as they are in files, and the JSON around them.
import { encoder } from './bytes.mjs'
import { notesOf } from './notes.mjs'
import { formsOf, routeQuery } from './route.mjs'

// The address of a query, with its parameters in canonical order; of a list, the address of one of its pages.
export function address({ collection, mode, q, filters, sort, by, per, like, level, within, top, stat, fields, limit, start, type, self }, page, table) {
  if (self) return self
  if (mode === 'search') return `${table.prefix}${table.search}?q=${quoted(q)}`
  const pairs = [`mode=${mode}`]
  if (q !== null) pairs.push(`q=${quoted(q)}`)
  for (const [name, value] of Object.entries(filters)) pairs.push(`${name}=${value}`)
  if (by && by.length) pairs.push(`by=${by}`)
  if (per) pairs.push(`per=${per}`)
  if (typeof like === 'string') pairs.push(`like=${quoted(like)}`)
  for (const [name, value] of Object.entries({ level, within, top, stat })) if (value) pairs.push(`${name}=${value}`)
  if (sort) pairs.push(`sort=${sort}`)
  if (page > 1) pairs.push(`page=${page}`)
  const { rows } = table.asked
  if (mode === 'rows' && `${fields}` !== `${rows.fields}`) pairs.push(`fields=${fields}`)
  if (mode === 'rows' && limit !== rows.limit) pairs.push(`limit=${limit}`)
  if (start) pairs.push(`start=${start}`)
  if (mode === 'rows' && type) pairs.push('format=csv')
  return `${table.prefix}${table.lists.find(({ name }) => name === collection).root}?${pairs.join('&')}`
}

// The address of the first page of a list: the prepared page if there is one.
export function listUrl(query, table) {
  const list = table.lists.find(({ name }) => name === query.collection)
  const { file } = routeQuery({ ...query, page: 1 }, list, table, formsOf(list, table))
  return file ? table.prefix + file : address(query, 1, table)
}

// The alternatives to the query of a list, as documents have them.
export function shownAlternatives(found, query, table) {
  return found.map(({ q, filters, total }) => ({ q, filters, total_items: total, href: listUrl({ ...query, q, filters }, table) }))
}

export function listBytes(query, rows, count, pages, suggestions, alternatives, manifest, table) {
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
  if (q !== null) head.suggestions = suggestions
  head.alternatives = shownAlternatives(alternatives, query, table)
  head.notes = notesOf(query, list, table)
  const opening = JSON.stringify(head).slice(0, -1)
  return joined([`${opening},"data":`, ...arrayOf(rows), '}\n'])
}

// The parts of a JSON array of encoded rows, each on a line.
export const arrayOf = (rows) => [...rows.flatMap((row, i) => [i ? ',\n' : '[\n', row]), rows.length ? '\n]' : '[]']

// The bytes of parts, which are bytes or texts.
export function joined(parts) {
  const encoded = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part))
  const body = new Uint8Array(encoded.reduce((sum, part) => sum + part.length, 0))
  encoded.reduce((start, part) => (body.set(part, start), start + part.length), 0)
  return body
}

// The document of a search over all collections; `found` has { query, total, rows } for each.
export function searchBytes(query, found, suggestions, table) {
  const head = {
    schema_version: table.schema_version,
    kind: 'search',
    query: { q: query.q },
    links: { self: address(query, 1, table) },
    total_items: found.reduce((sum, { total }) => sum + total, 0),
  }
  const parts = found.flatMap(({ query: one, total, rows }, i) => {
    const opening = JSON.stringify({ total_items: total, links: { list: address(one, 1, table) } }).slice(0, -1)
    return [`${i ? ',' : ''}"${one.collection}":${opening},"data":`, ...arrayOf(rows), '}']
  })
  const closing = `},"suggestions":${JSON.stringify(suggestions)},"notes":${JSON.stringify(notesOf(query, null, table))}}\n`
  return joined([`${JSON.stringify(head).slice(0, -1)},"data":{`, ...parts, closing])
}

// Encodes as urllib.parse.quote does, which escapes five more characters.
export function quoted(text) {
  return encodeURIComponent(text).replace(/[!\x27()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
