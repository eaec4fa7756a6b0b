// Answer calls of tools.
import { answeredTool } from './added.mjs'
import { checked, withDefaults } from './arguments.mjs'
import { PLAIN_COUNT } from './asked.mjs'
import { Refused, Unavailable } from './client.mjs'
import { Call, fitAllRows, fitObject, fitParts, fitRows, startRefused } from './excerpts.mjs'
import { proofOf } from './proof.mjs'
import { reasonsOf } from './reconcile.mjs'
import { isOf } from './route.mjs'
import { clip, encoded, entriesOf, get, has, isObject, isText, keysOf, objectOf, parsed, sizeOf } from './texts.mjs'

const [CATALOG, SCHEMA, OVERVIEW] = ['catalog.json', 'schema.json', 'context/overview.md'].map((name) => `/api/v1/agent/${name}`)
const [DASHBOARD, CHANGES] = ['/api/dashboard.json', '/api/changes.json']
// Values in a refusal, values found for one filter, alternatives beside selected values, and bytes of the filters of a
// collection.
const [MOST_ALLOWED, MOST_VALUES, MOST_BESIDE, MOST_FILTERS_BYTES] = [50, 20, 10, 6 * 1024]

// The answer to a call of a tool as agent/tools.json has it: a text, and the document that the text is of. Throws Refused and
// Unavailable.
export async function answered(tool, given, client) {
  const { most } = client.table.mcp
  const values = checked(given, tool.input, client.table)
  const call = new Call(tool.name, values, most)
  const all = withDefaults(values, tool.input)
  const own = Object.hasOwn(ANSWERS, tool.name) ? ANSWERS[tool.name] : null
  const found = own ? await own(client, call, all) : encoded(await byFeature(tool.name, all, client))
  const answer = isText(found) ? { text: found, document: parsed(found) } : found
  if (call.fits(answer.text, encoded(answer.document))) return answer
  throw new Unavailable(`${client.where}: the answer cannot be cut to ${Math.floor(most.answer / 1024)} KiB.`)
}

// The answer of a feature; what it refuses is a refusal of the call.
async function byFeature(name, args, client) {
  try {
    return await answeredTool(name, args, client.registry)
  } catch (error) {
    const { code, problem, detail, allowed } = error instanceof Response ? JSON.parse(await error.text()) : error
    if (!problem && !code) throw error
    throw new Refused(problem ?? code, detail, allowed ?? [])
  }
}

// The answer to an invalid call: the problem, accepted values, and a call that helps.
export function refusalText(tool, given, error, client) {
  const { code, detail, allowed } = error
  return encoded({
    code,
    detail: clip(detail, 2000),
    ...(allowed.length
      ? { allowed: allowed.slice(0, MOST_ALLOWED).map((word) => clip(word, 250)), truncated: allowed.length > MOST_ALLOWED }
      : {}),
    next: helpOf(tool, given, error, client),
  })
}

function helpOf(tool, given, { code, unknown, missing, next }, client) {
  if (next) return next
  const call = (name, more) => ({ tool: name, arguments: more })
  if (unknown) {
    const { list, name, value } = unknown
    const lengthOf = (text) => [...text].length
    const longest = value.split('-').reduce((best, word) => (lengthOf(word) > lengthOf(best) ? word : best))
    const word = clip(longest, 50)
    if (word && client.isPrepared(list, name)) return call('find_values', { collection: list.name, like: word, filter: name })
    if (word && client.isUnited(name)) return call('find_values', { collection: list.name, like: word })
    return call('count_records', { collection: list.name, by: [name] })
  }
  if (missing) {
    const q = clip(missing.slug.split('-').slice(0, 8).join(' '), 200)
    return call('search_records', { collection: missing.list.name, q })
  }
  const { collection } = given
  const isKnown = code === 'unknown-parameter' && isText(collection) && has(tool.templates, collection) && 'filters' in given
  return isKnown ? call('dataset_catalog', { collection }) : null
}

const headOf = (client, path) => ({ source: client.where + path })

function queryHead(client, document, query, total) {
  return {
    source: client.origin + document.links.self,
    query,
    ...('as_of' in document ? { as_of: document.as_of } : {}),
    total_items: total,
    ...(document.notes?.length ? { notes: document.notes } : {}),
  }
}

const filtersOf = (args) => entriesOf(args.filters ?? {})
const pick = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]))

// --- the tools ---

async function catalog(client, call, args) {
  if ('collection' in args) return filters(client, call, client.list(args.collection), args)
  const { data: found } = await client.document(CATALOG)
  const about = pick(found, ['name', 'description', 'license', 'contact', 'page_size'])
  const registry = { ...about, as_of: found.freshness.as_of, changes_known_since: await firstChange(client) }
  const head = { ...headOf(client, CATALOG), registry }
  let data
  for (const most of [5, 3, 1, 0]) {
    data = objectOf(
      found.datasets.map(({ name, count, sorts, filters }) => {
        const shown = filters.filter(({ values }) => values.length)
        const ranges = count ? client.ranges(client.list(name)) : []
        const tops = shown.map((one) => [one.name, topsOf(one, most)])
        return [name, { count, sorts: count ? sorts : [], ranges, filters: objectOf(tops) }]
      }),
    )
    if (call.fits(encoded({ ...head, data }))) break
  }
  const more = keysOf(data).find((name) => firstWithMore(get(data, name).filters))
  const next = more ? call.with({ collection: more }) : null
  return fitObject(head, data, 'collection', call, found.truncated ? keysOf(data) : [], next)
}

// The time of the first change that is known; null if changes are not known.
async function firstChange(client) {
  const { data, links } = await client.document(CHANGES)
  if (!links.last) return data[data.length - 1]?.at ?? null
  const first = await client.document(links.last.replace(/[0-9]+(?=\.json$)/, '1').slice(client.table.prefix.length))
  return first.data[0]?.at ?? null
}

const topsOf = ({ total_values, values }, most) => ({ total_values, top: topOf(values, most) })

// The name of the first filter with more values than those at its top; undefined without one.
const firstWithMore = (filters) => entriesOf(filters).find(([, { total_values, top }]) => total_values > keysOf(top ?? {}).length)?.[0]

const topOf = (values, most) => objectOf(values.slice(0, most).map(({ value, count }) => [value, count]))

async function filters(client, call, list, args) {
  if (!('filter' in args)) return everyFilter(client, call, list)
  const name = checkedFilter(client, list, args.filter)
  const path = client.valuesPath(list, name)
  const { data } = await client.document(path)
  const head = { ...headOf(client, path), filter: name, total_values: data.total_values }
  const values = data.values.map(bare)
  if (name === 'program') {
    await addKinds(client, values)
    head.program_note = client.texts.programs
  }
  return fitAllRows(head, values, args.start, call)
}

async function everyFilter(client, call, list) {
  const path = client.valuesPath(list)
  const { data: found } = await client.document(path)
  const { total_items: total } = await client.count(countOf(list))
  const sorts = [...list.sorts, ...list.others]
  const head = { ...headOf(client, path), total_items: total, sorts, ranges: total ? client.ranges(list) : [] }
  let data
  for (const most of [10, 5, 3, 1, 0]) {
    const shown = ([name, filter]) => [name, { label: filter.label, ...topsOf(filter, most) }]
    data = objectOf(entriesOf(found).map(shown))
    if (sizeOf(encoded({ ...head, data })) <= MOST_FILTERS_BYTES) break
  }
  const programs = keysOf(data.program?.top ?? {}).map((value) => ({ value }))
  if (programs.length) {
    await addKinds(client, programs)
    data.program.of_kind_program = programs.filter(({ kind }) => kind === 'program').map(({ value }) => value)
    head.program_note = client.texts.programs
  }
  const every = Object.entries(client.labels(list)).map(([name, label]) => [name, get(data, name) ?? { label }])
  const more = firstWithMore(data)
  return fitObject(head, objectOf(every), 'filter', call, [], more ? call.with({ filter: more }) : null)
}

function checkedFilter(client, list, name) {
  const known = client.prepared(list)
  if (known.includes(name)) return name
  const { label } = client.table.mcp.lists[list.name]
  throw new Refused('unknown-parameter', `${label} have no filter "${name}" with a list of values.`, known)
}

// The value without keys that only readers of files need.
const bare = ({ href, truncated, ...rest }) => rest

const countOf = (list, filters = {}) => ({ collection: list.name, mode: 'count', filters, q: null, ...PLAIN_COUNT })

async function count(client, call, args) {
  const list = client.list(args.collection)
  const by = args.by?.length ? args.by.join(',') : null
  const { q, per, like, level, top, stat } = args
  const [within, start] = [args.within || null, args.start || null]
  const query = await client.query(list, filtersOf(args), { mode: 'count', q, by, per, like, level, within, top, stat, start })
  const document = await client.count(query)
  const always = ['q', 'filters', 'by', 'like', 'per']
  const echo = entriesOf(document.query).filter(([name, value]) => always.includes(name) || (name !== 'mode' && value))
  const head = { ...queryHead(client, document, objectOf(echo), document.total_items), ...alternativesOf(client, document) }
  if ('stat' in document) head.stat = document.stat
  const twins = await twinsOf(client, list, query)
  if (twins.length) Object.assign(head, { twins, twins_note: client.texts.twins })
  const data = objectOf(entriesOf(document.counts).map(([name, found]) => [name, selectedFirst(found, query)]))
  if (Object.values(data).some((found) => 'selected' in found)) head.selected_note = client.texts.selected
  if ('program' in data) {
    await addKinds(client, data.program.values)
    head.program_note = client.texts.programs
  }
  return fitCounts(client, head, data, query, call)
}

// The counts of a filter: if the query asks for some of its values, first these, and fewer alternatives.
function selectedFirst({ selected, ...others }, { within, top }) {
  if (!selected.length || within) return others
  const values = others.values.slice(0, top ?? MOST_BESIDE)
  return { selected, ...others, truncated: others.truncated || values.length < others.values.length, values }
}

// How many values of each filter, and of `per` in each of them, an answer has: the first that fit.
const COUNTS = [[50, 10], [50, 5], [50, 3], [50, 1], [50, 0], [30, 0], [20, 0], [10, 0], [5, 0], [2, 0], [1, 0]]

// The counts with as many values as fit. `next` has the values that follow; without such it counts all of the first value
// that lacks some of `per`.
function fitCounts(client, head, data, query, call) {
  const counted = entriesOf(data)
  let text
  for (const [most, each] of COUNTS) {
    const partOf = (value) => (value.per ? { ...value, per: topOf(value.per, each) } : value)
    const shown = counted.map(([name, { selected, truncated, values, ...about }]) => {
      const asked = selected ? { selected: selected.map(partOf) } : {}
      return [name, { ...asked, ...about, truncated: truncated || values.length > most, values: values.slice(0, most).map(partOf) }]
    })
    const cut = counted.filter(([, { values }]) => values.length > most).map(([name]) => name)
    const lacking = counted.flatMap(([, { selected = [], values }]) => [...selected, ...values.slice(0, most)]).find(({ per = [] }) => per.length > each)
    const isCut = cut.length > 0 || lacking !== undefined
    text = encoded({
      ...head,
      ...(lacking ? { per_note: `${each} ${client.texts.per}` } : {}),
      truncated: isCut,
      data: objectOf(shown),
      ...(isCut ? { cut: cut.length ? cut : query.by, note: call.note } : {}),
      next: following(client, shown, query, call) ?? (lacking ? ofValue(client, lacking.value, query, call) : null),
    })
    if (call.fits(text)) break
  }
  return text
}

// The call for the values that follow, of the first filter that has more; null without such.
function following(client, shown, query, call) {
  const [name, found] = shown.find(([, { truncated }]) => truncated) ?? []
  return name ? counting(client, query, call, { ...call.given, by: [name], start: (query.start ?? 0) + found.values.length }) : null
}

// The call that counts all values of `per` in one value.
function ofValue(client, value, query, call) {
  const { per, like, top, start, ...given } = call.given
  return counting(client, query, call, { ...given, filters: { ...given.filters, [query.by[0]]: value }, by: [per] })
}

// A call of a count, without a level if it counts no places.
function counting(client, { collection }, { tool }, { level, ...given }) {
  const isPlaced = [...given.by, given.per].some((name) => client.table.index.placed[collection].includes(name))
  return { tool, arguments: { ...given, ...(level && isPlaced ? { level } : {}) } }
}

// For a query with one tag: the same tag in other families, with the number of records that match with it instead.
async function twinsOf(client, list, { filters, q }) {
  const tags = Object.entries(filters).filter(([name]) => name.startsWith('tag_'))
  if (tags.length !== 1 || !isOf('slug', tags[0][1], client.table)) return []
  const [[family, tag]] = tags
  const families = client.prepared(list).filter((name) => name.startsWith('tag_') && name !== family)
  const others = families.slice(0, client.table.asked.by)
  if (!others.length) return []
  const rest = Object.entries(filters).filter(([name]) => name !== family)
  try {
    const like = tag.split('-').join(' ')
    const { counts } = await client.count(await client.query(list, rest, { mode: 'count', q, by: others.join(','), like }))
    const same = (name) => counts[name].values.filter(({ value }) => value === tag)
    return others.flatMap((name) => same(name).map((value) => ({ filter: name, value: tag, total_items: value.count })))
  } catch (error) {
    if (error instanceof Refused || error instanceof Unavailable) return []
    throw error
  }
}

// Add to programs, whose slug is under `key`, whether each is a program or a cohort.
async function addKinds(client, values, key = 'value') {
  let document
  try {
    document = await client.page(await client.query(client.list('programs'), [['kind', 'program']], { mode: 'page' }))
  } catch (error) {
    if (error instanceof Refused || error instanceof Unavailable) return
    throw error
  }
  if (document.page.total_pages > 1) return
  const slugs = new Set(document.data.map(({ slug }) => slug))
  for (const value of values) value.kind = slugs.has(value[key]) ? 'program' : 'cohort'
}

function alternativesOf(client, { alternatives = [] }) {
  const shown = alternatives.map((other) => pick(other, ['q', 'filters', 'total_items']))
  return shown.length ? { alternatives: shown, alternatives_note: client.texts.alternatives } : {}
}

async function values(client, call, args) {
  const list = client.list(args.collection)
  const names = 'filter' in args ? [checkedFilter(client, list, args.filter)] : undefined
  const found = (await client.values(list, args.like, names)).filter(([, some]) => some.length)
  const shown = (some) => ({
    total_values: some.length,
    truncated: some.length > MOST_VALUES,
    values: some.slice(0, MOST_VALUES).map(bare),
  })
  const head = headOf(client, client.valuesPath(list))
  if (!found.length) head.note = client.texts.no_values
  const [more] = found.find(([, some]) => some.length > MOST_VALUES) ?? []
  const rest = { collection: list.name, by: [more], like: args.like, start: MOST_VALUES }
  const next = more ? { tool: 'count_records', arguments: rest } : null
  return fitObject(head, objectOf(found.map(([name, some]) => [name, shown(some)])), 'filter', call, [], next)
}

async function schema(client, call, args) {
  const { data } = await client.document(SCHEMA)
  const kinds = data.kinds.filter(({ dataset }) => !('collection' in args) || dataset === args.collection)
  return fitAllRows(headOf(client, SCHEMA), kinds, args.start, call)
}

async function dashboard(client, call, args) {
  const { as_of: day, data } = await client.document(DASHBOARD)
  const head = { ...headOf(client, DASHBOARD), as_of: day }
  if (data.top_programs.length) {
    await addKinds(client, data.top_programs, 'slug')
    head.program_note = client.texts.programs
  }
  const total = get(data.totals ?? {}, args.section ?? '')
  if (total !== undefined) head.totals = total
  return fitParts(head, data, 'section', call, args.start)
}

async function list(client, call, args) {
  const { start } = args
  const list = client.list(args.collection ?? 'events')
  const query = await client.query(list, filtersOf(args), { mode: 'page', q: args.q, sort: args.sort, page: '1' })
  const [document, total, records] = await recordsOf(client, list, query, args)
  if (start > Math.max(1, total)) throw startRefused(total)
  const echo = pick(document.query, ['q', 'filters', 'sort'])
  const head = queryHead(client, document, echo, total)
  if (!total) {
    Object.assign(head, await insteadOf(client, list, document, query))
    if (document.suggestions?.length) head.suggestions = document.suggestions
  }
  if (list.name === 'programs' && echo.sort === '-year' && records.length > 1) head.sort_note = client.texts.newest
  return fitRows(head, records, start, total, call)
}

// A document of the query, its number of records, and the asked records with their fields. Fields are read as rows if rows
// have all of them.
async function recordsOf(client, list, query, args) {
  const { start, limit } = args
  const { most } = client.table.asked.rows
  const fields = [...new Set(args.fields ?? [])].filter((name) => name !== 'slug')
  if (fields.every((name) => client.rowField(list, name)) && fields.length && fields.length <= most) {
    const document = await client.rows(list, query, fields, start, limit)
    if (document.total_items) return [document, document.total_items, document.data]
  }
  let [document, records] = await client.window(query, start, limit)
  if ('fields' in args && records.length) {
    await checkFields(client, args.fields, [[list.name, records]])
    records = await withRows(client, list, query, records, args)
    records = records.map((record) => fieldsOf(client, list, record, args.fields))
  }
  return [document, document.page.total_items, records]
}

// Records of a query from number `start` on, with the asked fields that only rows have.
async function withRows(client, list, query, records, { fields, start }) {
  const indexed = [...new Set(fields)].filter((name) => {
    const field = client.rowField(list, name)
    return field && !field.path
  })
  if (!indexed.length || !records.length) return records
  const { data } = await client.rows(list, query, indexed, start, records.length)
  const more = new Map(data.map((row) => [row.slug, row]))
  return records.map((record) => ({ ...record, ...more.get(record.slug) }))
}

// The alternatives to a list without records; prepared pages have none.
async function insteadOf(client, list, document, query) {
  if ('alternatives' in document) return alternativesOf(client, document)
  try {
    return alternativesOf(client, await client.count(countOf(list, query.filters)))
  } catch (error) {
    if (error instanceof Unavailable) return {}
    throw error
  }
}

async function search(client, call, args) {
  if ('collection' in args) return list(client, call, args)
  const document = await client.everything(args.q)
  const found = Object.entries(document.data)
  const head = queryHead(client, document, document.query, document.total_items)
  if (document.suggestions.length) head.suggestions = document.suggestions
  let best = found.map(([name, { data }]) => [name, data.slice(0, args.limit)])
  if ('fields' in args) best = await bestFields(client, best, args)
  const shown = best.map(([name, data], i) => [name, { total_items: found[i][1].total_items, data }])
  return fitObject(head, Object.fromEntries(shown), 'collection', call, [], onward(call, found))
}

// The best records of each collection with the asked fields that it has.
async function bestFields(client, best, args) {
  await checkFields(client, args.fields, best)
  const shown = []
  for (const [name, records] of best) {
    const list = client.list(name)
    const query = await client.query(list, [], { mode: 'page', q: args.q, page: '1' })
    const rows = await withRows(client, list, query, records, { ...args, start: 1 })
    shown.push([name, rows.map((record) => fieldsOf(client, list, record, args.fields))])
  }
  return shown
}

// The call for the collection with the most records that are not shown.
function onward(call, found) {
  const more = found.filter(([, { total_items, data }]) => total_items > data.length)
  if (!more.length) return null
  const [name] = more.reduce((most, one) => (one[1].total_items > most[1].total_items ? one : most))
  return call.with({ collection: name })
}

// Refuse a field that no record of `found`, [collection, records], has in a list.
async function checkFields(client, fields, found) {
  const known = [...new Set(found.flatMap(([name, records]) => [...records.flatMap(keysOf), ...client.rowFields(client.list(name))]))]
  const strange = fields.find((name) => !known.includes(name))
  if (strange === undefined) return
  const { data } = await client.document(SCHEMA)
  const isOfRecord = (collection) => data.kinds.some(({ dataset, fields: all }) => dataset === collection && all.some(({ name }) => name === strange))
  const [collection, [{ slug }]] = found.find(([name, records]) => records.length && isOfRecord(name)) ?? ['', [{}]]
  if (!slug) throw new Refused('invalid-parameter', `There is no field "${clip(strange, 100)}" here.`, known)
  const next = { tool: 'get_record', arguments: { collection, slug, field: strange } }
  throw new Refused('invalid-parameter', `Lists have no "${strange}": get_record has it.`, known, { next })
}

// The slug of a record, and those of these fields that it has.
function fieldsOf(client, list, record, fields) {
  const paths = fields.map((name) => [name, client.rowField(list, name)?.path ?? name.split('/')])
  const valueAt = (path) => path.reduce((value, key) => (isObject(value) ? get(value, key) ?? null : null), record)
  const there = paths.filter(([, [first]]) => has(record, first))
  return objectOf([['slug', record.slug], ...there.map(([name, path]) => [name, valueAt(path)])])
}

async function record(client, call, args) {
  const list = client.list(args.collection)
  const { data } = await client.record(list, args.slug)
  if (args.proof) return provedRecord(client, call, list, data, args)
  const head = { ...headOf(client, client.recordPath(list, data.slug)), collection: list.name, slug: data.slug }
  return fitParts(head, data, 'field', call, args.start)
}

// A whole record with its proof, which is a text to save: the document lacks it.
async function provedRecord(client, call, list, data, args) {
  const invalid = (detail) => new Refused('invalid-parameter', detail)
  if ('field' in args) throw invalid(client.texts.whole_proof)
  const proof = await proofOf(client.recordPath(list, data.slug), client)
  const document = { collection: list.name, slug: data.slug, truncated: false, data, next: null }
  const text = encoded({ ...document, proof })
  if (call.fits(text, encoded(document))) return { text, document }
  const [size, room] = [call.sizeOf(text, encoded(document)), call.room].map((number) => String(number).replace(/\B(?=(?:\d{3})+$)/g, ','))
  const how = `Check it with registry get ${list.name} ${data.slug} --verify --from ADDRESS.`
  throw invalid(`The record and its proof take ${size} bytes, more than the ${room} of an answer. ${how}`)
}

// The most candidates of a name.
const CANDIDATES = 3

// The candidates of each name.
async function match(client, call, args) {
  const list = client.list(args.collection)
  const places = 'place' in args ? [args.place] : []
  const questions = args.names.map((name) => ({ name, sites: [], places, limit: args.limit ?? null }))
  const found = await client.match(list, questions)
  const shown = (each) => ({
    slug: each.slug,
    name: each.name,
    score: each.score,
    match: each.match ?? false,
    reasons: objectOf(reasonsOf(each)),
  })
  const data = args.names.map((name, i) => ({ asked: name, candidates: found[i].slice(0, CANDIDATES).map(shown) }))
  return encoded({ ...headOf(client, `/api/reconcile/${list.name}`), data, truncated: false, next: null })
}

async function context(client, call, args) {
  const pathOf = (slug) => `/api/v1/agent/context/${args.collection}/${slug}.md`
  let bytes = await client.read('slug' in args ? pathOf(args.slug) : OVERVIEW)
  if (!bytes && 'slug' in args) {
    const { data } = await client.record(client.list(args.collection), args.slug)
    bytes = await client.read(pathOf(data.slug))
  }
  if (!bytes) throw new Refused('not-found', client.texts.no_context)
  const { context: most } = client.table.mcp.most
  const text = clip(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, most + 4)), most)
  return { text, document: { data: text, truncated: bytes.length > most, next: null } }
}

const ANSWERS = {
  dataset_catalog: catalog,
  count_records: count,
  find_values: values,
  describe_schema: schema,
  dashboard,
  search_records: search,
  list_records: list,
  match_names: match,
  get_record: record,
  calendar_events: list,
  build_context: context,
}
