// The registry as the tools see it: documents, queries and records. Files come from the host itself, so of a document only
// the form is checked.
import { candidates } from './candidates.mjs'
import { wordsOf } from './folding.mjs'
import { quoted } from './list.mjs'
import { nearest } from './more.mjs'
import { fieldOf } from './more/cells.mjs'
import { decoded } from './more/near.mjs'
import { pastTheEnd, unknownValues, withNear, withNearSlugs, withoutRecords } from './refusals.mjs'
import { resolve } from './resolve.mjs'
import { isMoved as isMovedText, targetOf } from './respond.mjs'
import { fill, formsOf, isOf, nounOf, routeQuery, sourcesOf } from './route.mjs'
import { hasItsForm } from './shapes.mjs'
import { entriesOf, get, has, objectOf, parsed } from './texts.mjs'

// A call that is not valid. `unknown` is { list, name, value } of a filter value, `missing` { list, slug } of a record, `next`
// a call that helps.
export class Refused extends Error {
  constructor(code, detail, allowed = [], { unknown, missing, next } = {}) {
    super(detail)
    Object.assign(this, { code, detail, allowed, unknown, missing, next })
  }
}

// The registry cannot be read.
export class Unavailable extends Error {}

const isMoved = (bytes) => isMovedText(new TextDecoder().decode(bytes.subarray(0, 99)))
const CHANGED = 'The registry was published again during this read: records may be missing or repeated. Try again.'

export class Client {
  // `read(path, again)` gives the bytes of a file, or null; `origin` is that of the request.
  constructor(origin, read, search, table) {
    Object.assign(this, { origin, read, table, where: origin + table.prefix, ask: (query) => search(query, read, table) })
    this.texts = table.mcp.texts
  }

  list(name) {
    return this.table.lists.find((list) => list.name === name)
  }

  isPrepared(list, filter) {
    const form = formsOf(list, this.table)[filter]
    return Boolean(form) && !this.table.unlisted.includes(form) && !this.isUnited(filter)
  }

  // Whether a filter takes the values of others.
  isUnited(filter) {
    return sourcesOf(filter, this.table)[0] !== filter
  }

  // The names of the filters that have a list of values.
  prepared(list) {
    return Object.keys(formsOf(list, this.table)).filter((name) => this.isPrepared(list, name))
  }

  // The names of the filters that take a range.
  ranges(list) {
    return Object.entries(formsOf(list, this.table)).flatMap(([name, form]) => (this.table.ranged[form] ? [name] : []))
  }

  labels(list) {
    return this.table.mcp.lists[list.name].filters
  }

  // A field of rows (cells.mjs); undefined if there is none of this name.
  rowField(list, name) {
    return get(this.table.index.fields[list.name], name) && fieldOf(name, list, this.table)
  }

  rowFields(list) {
    return Object.keys(this.table.index.fields[list.name])
  }

  valuesPath(list, filter) {
    return list.root + (filter ? fill(this.table.files.values, { filter }) : this.table.files.filters)
  }

  recordPath(list, slug) {
    return list.root + fill(this.table.files.record, { slug })
  }

  // The query with these filters, [name, text], and other parameters, checked like an address. Throws Refused.
  async query(list, filters, others) {
    const { table } = this
    const labels = this.labels(list)
    const names = Object.keys(labels)
    for (const [name] of filters) {
      if (has(labels, name)) continue
      const near = nearest(name, Object.entries(labels), table)
      const hint = near.length && String(near) !== String(names) ? ` Did you mean "${near[0]}"?` : ''
      const detail = `${table.mcp.lists[list.name].label} have no filter "${name}".${hint}`
      throw new Refused('unknown-parameter', detail, near.length ? near : names)
    }
    const pairs = [...filters, ...Object.entries(others).filter(([, value]) => value !== undefined && value !== null)]
    const raw = pairs.map(([name, value]) => `${name}=${quoted(value)}`).join('&')
    const routed = resolve('GET', list.root, raw, table)
    if (routed.query) return routed.query
    throw await this.explained(routed, list)
  }

  page(query) {
    const list = this.list(query.collection)
    const { file } = routeQuery(query, list, this.table, formsOf(list, this.table))
    return file ? this.preparedPage(query, file, list) : this.searched(query)
  }

  count(query) {
    return this.searched(query)
  }

  // The rows of `most` records of a query from number `start` on, each as an object in `data`; `self` is the list itself.
  async rows(list, { filters, q, sort }, fields, start, most) {
    const limit = Math.max(1, most)
    const others = { mode: 'rows', q, sort: sort || null, fields: fields.join(','), limit, start: start - 1 }
    const document = await this.searched(await this.query(list, Object.entries(filters), others))
    const { columns, rows, links } = document
    const data = rows.slice(0, most).map((row) => objectOf(row.map((cell, i) => [columns[i], cell])))
    return { ...document, links: { self: links.list }, data }
  }

  // The candidates of each question.
  async match(list, questions) {
    const { batch } = this.table.reconcile.most
    const found = []
    for (let start = 0; start < questions.length; start += batch) {
      const part = questions.slice(start, start + batch)
      const query = { collection: list.name, q: null, answer: (reader) => candidates(part, reader) }
      const { body, ...refused } = await this.ask(query)
      if (!body && !refused.problem) throw new Unavailable(`${this.where}: ${refused.detail}`)
      if (!body) throw new Refused(refused.problem, refused.detail, refused.allowed ?? [])
      found.push(...body)
    }
    return found
  }

  async everything(q) {
    const { query, ...refused } = resolve('GET', this.table.search, `q=${quoted(q)}`, this.table)
    if (!query) throw new Refused(refused.problem, refused.detail, refused.allowed ?? [])
    return this.searched(query)
  }

  // The answer of the index to a query.
  async searched(query) {
    const { body, ...refused } = await this.ask(query)
    if (body) return parsed(body)
    if (!refused.problem) throw new Unavailable(`${this.where}: ${refused.detail}`)
    throw await this.explained(refused, this.list(query.collection))
  }

  async preparedPage(query, file, list) {
    const page = await this.read(file)
    if (page && !isMoved(page)) return this.parse(page, file)
    throw (await this.absent(query, file, list)) ?? this.missing(file)
  }

  // Why a page of a list is missing; undefined if it should exist.
  async absent(query, file, list) {
    const { table } = this
    const first = await this.read(file.replace(/[0-9]+(?=\.json$)/, '1'))
    const [name, value] = Object.entries(query.filters)[0] ?? []
    const now = name && (!first || isMoved(first)) && (await this.currentSlug(list, name, value))
    if (now) return formerRefused(name, value, now)
    if (first) {
      const pages = this.parse(first, file).page.total_pages
      return query.page > pages ? this.explained(pastTheEnd(query.page, pages, table), list) : undefined
    }
    if (!name || list.fixed[name]) return undefined
    const values = await this.read(this.valuesPath(list, name))
    if (values && this.parse(values, file).data.values.some((one) => one.value === value)) return undefined
    return this.explained(unknownValues(list.name, name, [value], table), list)
  }

  // The Refused for a refusal of the grammar or the index; for a filter value with its current slug or near values.
  async explained(refused, list) {
    const { problem: code, about } = refused
    if (!about) return new Refused(code, refused.detail, refused.allowed ?? [])
    const [, name, values] = about
    const kind = nounOf(list.name, this.table)
    let better = code === 'not-found' ? { ...refused, detail: `${withoutRecords(kind, name, values)}.` } : refused
    try {
      const now = values.length === 1 && (await this.currentSlug(list, name, values[0]))
      if (now) return formerRefused(name, values[0], now)
      better = await withNear(better, this.read, this.table)
    } catch {}
    return new Refused(code, better.detail, better.allowed ?? [], { unknown: { list, name, value: decoded(values[0]) } })
  }

  // The current slug for a filter value that is a former slug, if its list exists.
  async currentSlug(list, name, value) {
    const { table } = this
    const owner = targetOf({ collection: list.name, filters: { [name]: value } }, table)
    if (!owner || !isOf('slug', value, table)) return undefined
    const record = await this.read(this.recordPath(owner, value))
    if (!record || !isMoved(record)) return undefined
    const slug = this.parse(record, this.recordPath(owner, value)).data.replaced_by
    const there = await this.read(list.root + fill(table.files.by, { filter: name, value: slug, page: 1 }))
    return there ? slug : undefined
  }

  parse(bytes, path) {
    try {
      const document = parsed(bytes)
      if (hasItsForm(document, Object.values(this.table.kinds))) return document
    } catch {}
    throw new Unavailable(`${this.where}${path} is not the document that it should be.`)
  }

  // A document that every registry has.
  async document(path) {
    const bytes = await this.read(path)
    if (!bytes) throw this.missing(path)
    return this.parse(bytes, path)
  }

  missing(path) {
    const how = 'is missing, or something else is sent in its place: the registry is damaged or its host does not have every file.'
    return new Unavailable(`${this.where}${path} ${how} Build and publish it again.`)
  }

  // The document of a record; a former slug gives that of the current slug.
  async record(list, slug) {
    let current = slug
    for (let attempt = 0; attempt < 2; attempt++) {
      const path = this.recordPath(list, current)
      const bytes = await this.read(path)
      if (!bytes) break
      const document = this.parse(bytes, path)
      if (document.kind !== 'moved') return document
      current = document.data.replaced_by
    }
    const detail = `There is no ${nounOf(list.name, this.table)} "${slug}".`
    const { allowed } = await withNearSlugs({ detail }, list, slug, this.ask, this.table)
    throw new Refused('not-found', detail, allowed ?? [], { missing: { list, slug } })
  }

  // The list document of the first page with records from number `start` on, or of page 1 if there are none, and at most
  // `most` of these records.
  async window(query, start, most) {
    let document = await this.page(query)
    const { size, total_pages: pages, total_items: total } = document.page
    const number = 1 + Math.floor((start - 1) / size)
    if (number > pages) return [document, []]
    if (number > 1) document = await this.page({ ...query, page: number })
    const rows = document.data.slice(start - 1 - (number - 1) * size).slice(0, most)
    for (let next = number + 1; next <= pages && rows.length < most; next++) {
      const { data, page } = await this.page({ ...query, page: next })
      if (page.total_items !== total) throw new Unavailable(CHANGED)
      rows.push(...data.slice(0, most - rows.length))
    }
    return [document, rows]
  }

  // [filter, values] with the values that have, for each word of `like`, a word that begins with it.
  async values(list, like, names) {
    const found = new Map()
    let wanted = names
    if (!wanted) {
      const { data } = await this.document(this.valuesPath(list))
      for (const [name, values] of entriesOf(data)) found.set(name, values)
      wanted = [...found].filter(([, values]) => values.truncated).map(([name]) => name)
    }
    for (const name of wanted) found.set(name, (await this.document(this.valuesPath(list, name))).data)
    const begun = wordsOf(like, this.table)
    const matches = ({ label, value }) => {
      const words = [...wordsOf(label, this.table), ...wordsOf(value, this.table)]
      return begun.every((one) => words.some((word) => word.startsWith(one)))
    }
    return [...found].map(([name, { values }]) => [name, begun.length ? values.filter(matches) : []])
  }
}

const formerRefused = (name, value, now) => new Refused('not-found', `The ${name} "${value}" is now called "${now}".`, [now])
