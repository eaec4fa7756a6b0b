// minisearch as a process that is asked questions, as benchmarks/engine.py is:
//
//     node benchmarks/peers/minisearch/engine.mjs PACKAGE FOLDER [RECORDS]
//
// PACKAGE is the folder of the package, FOLDER has what a browser would have to fetch.  With RECORDS, a file with a record a
// line, it writes just that, and prints the CPU seconds it took.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { serve } from '../../serve.mjs'

const [packaged, folder, source] = process.argv.slice(2)
const { default: MiniSearch } = await import(join(resolve(packaged), 'dist/es/index.js'))

const PAGE = 50
const INDEX = join(folder, 'index.json')
const ROWS = join(folder, 'rows.json')
const OPTIONS = {
  fields: ['names', 'summary', 'tags', 'description'],
  tokenize: (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [],
  processTerm: (term) => term, // folded already
  searchOptions: { prefix: (term) => [...term].length > 2, combineWith: 'AND', boost: { names: 10, summary: 3, tags: 3 } },
}

if (source) {
  make(readFileSync(source, 'utf8').trimEnd().split('\n').map(JSON.parse))
  process.exit()
}

const index = MiniSearch.loadJSON(readFileSync(INDEX, 'utf8'), OPTIONS)
const { rows, years, facets } = JSON.parse(readFileSync(ROWS, 'utf8'))
const members = new Map(Object.entries(facets).map(([facet, ids]) => [facet, new Set(ids)]))

function make(records) {
  const began = process.cpuUsage()
  const index = new MiniSearch(OPTIONS)
  index.addAll(records.map((record, id) => ({ ...record, id })))
  const facets = {}
  records.forEach((record, id) => record.facets.forEach((facet) => (facets[facet] ??= []).push(id)))
  writeFileSync(INDEX, JSON.stringify(index))
  writeFileSync(ROWS, JSON.stringify({ rows: records.map(({ row }) => row), years: records.map(({ year }) => year), facets }))
  const { user, system } = process.cpuUsage(began)
  console.log(JSON.stringify({ seconds: (user + system) / 1e6 }))
}

function matches(q, filters, sort) {
  const sets = filters.map((facet) => members.get(facet)).sort((a, b) => a.size - b.size)
  // Without words it would look at every record; intersecting what the filters have is much faster.
  const ids = q ? index.search(q, { filter: ({ id }) => sets.every((set) => set.has(id)) }).map(({ id }) => id)
    : [...sets[0]].filter((id) => sets.every((set) => set.has(id)))
  if (sort === 'name') ids.sort((a, b) => a - b)
  if (sort === '-year') ids.sort((a, b) => (years[b] ?? 0) - (years[a] ?? 0) || a - b)
  return ids
}

const encoder = new TextEncoder()
await serve(({ q, filters, sort }) => {
  const ids = matches(q, Object.entries(filters).map(([name, value]) => `${name}/${value}`), sort)
  const head = JSON.stringify({ query: { q, filters, sort }, page: { number: 1, total_items: ids.length } }).slice(0, -1)
  return encoder.encode(`${head},"data":[\n${ids.slice(0, PAGE).map((id) => rows[id]).join(',\n')}\n]}\n`)
})
