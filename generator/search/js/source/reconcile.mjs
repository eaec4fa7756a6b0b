// The Reconciliation Service API 0.2: what clients ask, and the answers.
import { candidates } from './candidates.mjs'
import { extended } from './extension.mjs'
import { textOf } from './folding.mjs'
import { unavailable } from './refusals.mjs'
import { bytesOf, refusal } from './respond.mjs'
import { problem, readParameters, shown } from './route.mjs'
import { listed, search } from './search.mjs'
import { checkJson } from './texts.mjs'

const CURSOR = /^(0|[1-9][0-9]{0,6})$/

// Answer a request to the service of a collection.
export async function match({ collection, part, raw }, request, fetchAsset, table) {
  const head = request.method === 'HEAD'
  const service = {
    table,
    head,
    read: (path, again) => bytesOf(path, request, fetchAsset, again),
    list: table.lists.find(({ name }) => name === collection),
    // What `answer` makes from the index of the collection.
    async found(answer) {
      const { body, ...refused } = await search({ collection, q: null, answer }, service.read, table)
      if (!body) throw refused
      return body
    },
  }
  try {
    const posted = request.method === 'POST'
    const asked = posted ? await formOf(request, table) : raw
    const manifest = !posted && !raw
    const answer = { '/suggest': suggested, '/properties': proposed }[part] ?? (manifest ? manifestOf : answered)
    const body = await answer(asked, service, request)
    return new Response(head ? null : `${body}\n`, { headers: { ...table.headers, 'content-type': table.json } })
  } catch (error) {
    if (error.status) return refusal(error, table, head)
    throw error
  }
}

const tooLarge = (detail) => ({ status: 413, title: 'Content Too Large', detail })

const invalid = (detail, table, allowed) => problem(table, 'invalid-parameter', detail, allowed)

// The body of a POST, of which no more is read than a form may have; with bytes beyond ASCII encoded.
async function formOf({ body }, { reconcile: { most } }) {
  const bytes = []
  for (const reader = body?.getReader(); reader; ) {
    const { done, value } = await reader.read()
    if (done) break
    if (bytes.length + value.length > most.form) throw tooLarge(`A form has at most ${most.form / 1024} KiB.`)
    for (const byte of value) bytes.push(byte)
  }
  return bytes.map((byte) => (byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`)).join('')
}

async function manifestOf(_, { read, list, table }, { url }) {
  const { manifests, sources } = table.reconcile
  const values = {}
  try {
    const [index, catalog] = await Promise.all(sources.map(async (path) => JSON.parse(new TextDecoder().decode(await read(path)))))
    const base = catalog.linkset[0].anchor.replace(sources[1], '')
    Object.assign(values, { base: base.includes('://') ? base : new URL(url).origin + base, name: index.data.name })
  } catch {
    throw unavailable('The build is damaged. Build it again.', table)
  }
  const filled = (__, part) => (typeof part === 'string' ? part.replace(/:(base|name)/g, (___, key) => values[key]) : part)
  return JSON.stringify(manifests[list.name], filled)
}

// The records whose words begin with those of `prefix`. Clients send parameters of older versions, which are ignored.
async function suggested(raw, { found, list, table }) {
  const values = new Map(raw.split('&').map((token) => [token.replace(/=.*/s, ''), token.replace(/^[^=]*=?/, '')]))
  const [prefix, cursor] = [values.get('prefix'), values.get('cursor') ?? '0']
  if (!prefix) throw invalid('Give the beginning of a name: ?prefix=…', table)
  if (!CURSOR.test(cursor)) throw invalid('cursor must be a whole number from 0.', table)
  const { text, fault } = textOf(prefix, 'prefix', table)
  if (fault) throw invalid(fault, table)
  let skipped
  const page = await found((reader) => {
    const { size } = reader.manifest
    skipped = Number(cursor) % size
    const number = 1 + Math.floor(Number(cursor) / size)
    const query = { collection: list.name, mode: 'page', filters: {}, q: text, sort: '', order: 'relevance', page: number }
    reader.query = query
    return listed(reader)
  }).catch((error) => {
    if (error.status !== 404) throw error
  })
  const rows = page ? JSON.parse(new TextDecoder().decode(page)).data.slice(skipped).slice(0, table.reconcile.most.suggested) : []
  const notable = typesOf(list, table)
  return JSON.stringify({
    result: rows.map(({ slug, name, summary }) => ({ id: slug, name, ...(summary ? { description: summary } : {}), notable })),
  })
}

const typesOf = ({ name }, { reconcile: { manifests } }) => manifests[name].defaultTypes

// The fields of records, in answer to a property proposal request.
function proposed(raw, { list, table }) {
  const { properties, most, manifests } = table.reconcile
  const limit = new Map(raw.split('&').map((token) => token.split(/=(.*)/s))).get('limit') ?? ''
  const number = CURSOR.test(limit) ? Math.min(Number(limit), most.proposed) : most.proposed
  return JSON.stringify({ type: manifests[list.name].defaultTypes[0].id, properties: properties[list.name].slice(0, number) })
}

// The answer to queries, or to a data extension query.
function answered(raw, service) {
  const { table } = service
  const values = {}
  const refused = readParameters(raw, ['queries', 'extend'], (_, names) => names, values, table)
  if (refused) throw refused
  if (Object.keys(values).length > 1) throw invalid('Give either queries or extend.', table)
  return 'queries' in values ? results(jsonIn(values, 'queries', table), service) : extension(jsonIn(values, 'extend', table), service)
}

// The data extension response; a slug that no record has gets no values.
async function extension(asked, { found, list, table }) {
  const { most, properties } = table.reconcile
  const [ids, wanted] = isObject(asked) ? [asked.ids, asked.properties] : []
  if (!Array.isArray(ids) || !Array.isArray(wanted)) {
    throw invalid('extend must be an object with the lists "ids" and "properties".', table)
  }
  const names = wanted.map((each) => (isObject(each) ? each.id : undefined))
  if (![...ids, ...names].every((text) => typeof text === 'string')) {
    throw invalid('Each of "ids" must be a text, and each of "properties" must have an "id".', table)
  }
  const [slugs, fields] = [[...new Set(ids)].sort(), [...new Set(names)]]
  const { most: mostFields } = table.asked.rows
  if (slugs.length > most.batch || fields.length > mostFields) {
    throw tooLarge(`Data extension takes at most ${most.batch} ids and ${mostFields} properties.`)
  }
  const known = properties[list.name].map(({ id }) => id)
  const strange = fields.find((name) => !known.includes(name))
  if (strange !== undefined) throw invalid(`There is no property "${shown(strange)}".`, table, known)
  if (!slugs.every((slug) => slug.length <= table.longest.slug && new RegExp(`^(?:${table.patterns.slug})$`).test(slug))) {
    throw invalid('An id is the slug of a record.', table)
  }
  const cells = await found((reader) => extended({ slugs, fields }, reader))
  const valuesOf = (slug) => Object.fromEntries(fields.map((name, i) => [name, cells.has(slug) ? valuesIn(cells.get(slug)[i]) : []]))
  const rows = slugs.map((slug) => `${JSON.stringify(slug)}:${JSON.stringify(valuesOf(slug))}`)
  const meta = fields.map((name) => properties[list.name].find(({ id }) => id === name))
  return `{"meta":${JSON.stringify(meta)},"rows":{${rows.join(',')}}}`
}

function valuesIn(cell) {
  if (cell === null) return []
  if (Array.isArray(cell)) return cell.map((text) => ({ str: text }))
  if (typeof cell === 'number') return [{ [Number.isInteger(cell) ? 'int' : 'float']: cell }]
  return [{ str: String(cell) }]
}

// The result batch, sorted by id.
async function results(queries, { found, list, table }) {
  const questions = questionsIn(queries, list, table)
  const asked = questions.map(([, question]) => question)
  const all = await found((reader) => candidates(asked, reader))
  const type = typesOf(list, table)
  const entries = questions.map(([key], i) => {
    const result = all[i].map(({ slug: id, name, score, match: sure, best, site, near }) => {
      const features = reasonsOf({ best, site, near }).map(([what, value]) => ({ id: what, value }))
      return { id, name, score, match: sure ?? false, type, features }
    })
    return `${JSON.stringify(key)}:${JSON.stringify({ result })}`
  })
  return `{${entries.join(',')}}`
}

// Why a record is a candidate, as [what, value].
export function reasonsOf({ best, site, near }) {
  const reasons = [[best[1], best[0]], ['website', site]].filter(([, value]) => value)
  return near === null ? reasons : [...reasons, ['place', near]]
}

// The questions of a query batch, as [id, question], sorted by id.
function questionsIn(queries, list, table) {
  const { most } = table.reconcile
  if (!isObject(queries)) throw invalid('queries must be an object: an id and a query, for each query.', table)
  const keys = Object.keys(queries).sort()
  if (keys.length > most.batch) throw tooLarge(`A batch has at most ${most.batch} queries; this has ${keys.length}.`)
  return keys.map((key) => [key, questionIn(key, queries[key], list, table)])
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function jsonIn(values, name, table) {
  try {
    const text = decodeURIComponent(values[name].replace(/\+/g, ' ').replace(/%(?![0-9A-Fa-f]{2})/g, '%25'))
    checkJson(text)
    return JSON.parse(text)
  } catch {
    throw invalid(`${name} must be percent-encoded JSON.`, table)
  }
}

function questionIn(key, query, list, table) {
  const { pids, most } = table.reconcile
  const where = `The query "${shown(key)}"`
  if (!isObject(query)) throw invalid(`${where} must be an object.`, table)
  const { query: name = '', limit = 1, properties = [] } = query
  if (typeof name !== 'string') throw invalid(`${where}: "query" must be a text.`, table)
  if (!Number.isInteger(limit) || limit < 1) throw invalid(`${where}: "limit" must be a whole number from 1.`, table)
  if (!Array.isArray(properties)) throw invalid(`${where}: "properties" must be a list.`, table)
  const known = [...(table.names.places in list.filters ? pids.place : []), ...pids.site]
  const values = new Map(known.map((pid) => [pid, []]))
  for (const each of properties) {
    if (!isObject(each) || typeof each.pid !== 'string' || !('v' in each)) {
      throw invalid(`${where}: a property has "pid" and "v".`, table)
    }
    // Clients send every column that they have; other properties say nothing here.
    values.get(each.pid)?.push(...textsIn(each.v, most))
  }
  const of = (names, number) => names.flatMap((pid) => values.get(pid) ?? []).slice(0, number)
  return { name, sites: of(pids.site, 1), places: of(pids.place, most.values), limit: 'limit' in query ? Math.min(limit, most.candidates) : null }
}

// The texts of a property's value: a text, an entity, or a list of these.
function textsIn(value, { characters }) {
  const texts = (Array.isArray(value) ? value : [value]).map((each) => (isObject(each) ? each.id : each))
  return texts.filter((text) => typeof text === 'string' && text).map((text) => [...text].slice(0, characters).join(''))
}
