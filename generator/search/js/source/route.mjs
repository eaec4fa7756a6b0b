// A request to the registry -> the prepared file that answers it, a query for search.mjs, a problem, or a redirect.
//
// Parameters, paths and the texts of problems are in a table that generator/engine/table.py makes from the grammar. Checks are
// in the order of the grammar: form of each token, unknown keys, repeated keys, the mode, parameters that it excludes, values.
// Only words are decoded, and the marks `,`, `:` and `+` in values: other encoded spellings of a value are different values.
//
// This file uses only what CloudFront Functions can run, ES 5.1 with const, let and template literals: no for-of, no
// spread, no destructuring, no default values, no property escapes. There `reading` is null.
import { reading } from './asked.mjs'

const LONGEST_SHOWN = 80
// The filter of a tag in any family.
const ANY_TAG = 'tag'
// What the forms of filters without prepared pages begin with in the table.
const QUERIED = '?'

export function problem(table, code, detail, allowed) {
  const published = table.problems[code]
  return { status: published[0], problem: code, detail: detail || published[2], allowed: allowed || null }
}

function invalid(table, detail, allowed) {
  return problem(table, 'invalid-parameter', detail, allowed)
}

// The problem document of a refusal (RFC 9457), with the keys of the published one in its order.
export function document(refused, table) {
  return {
    type: table.problem.type.replace(':code', refused.problem),
    title: table.problems[refused.problem][1],
    status: refused.status,
    detail: refused.detail,
    code: refused.problem,
    allowed: refused.allowed,
    try: null,
    help: table.problem.help,
  }
}

// What one record of a collection is called in a sentence.
export function nounOf(collection, table) {
  return table.kinds[collection].replace(/_/g, ' ')
}

export function shown(text) {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

function matches(pattern, value) {
  return new RegExp(`^(?:${pattern})$`).test(value)
}

// Whether a record may have a value in a filter of this form.
export function isOf(form, value, table) {
  return value.length <= table.longest.value && matches(table.patterns[form], value)
}

// A value with decoded `,` (joins values), `;` (joins conditions), `:` (after all or not) and `+` (in numbers). Programs encode
// these, and no other characters of filter values.
export function plainMarks(raw) {
  return raw.replace(/%(?:2[BbCc]|3[AaBb])/g, (mark) => String.fromCharCode(parseInt(mark.slice(1), 16)))
}

// The text of a constraint if it has the form: conditions, each a value, several, or a range. Else what is wrong.
function constraintOf(name, form, encoded, table) {
  const taken = plainMarks(encoded).split(';').every((text) => isCondition(form, text, table))
  return taken ? { text: encoded } : { fault: unlike(name, form, table) }
}

function isCondition(form, text, table) {
  const at = table.ranged[form] ? text.indexOf('..') : -1
  const ends = [text.slice(0, at), text.slice(at + 2)].filter((end) => end)
  const values = at < 0 ? text.replace(/^(?:all|not):/, '').split(',') : ends
  return values.length > 0 && values.every((value) => isOf(form, value, table))
}

// Whether a constraint is a single value.
export function isPlain(text) {
  return !/[,:;]|\.\.|%2c|%3[ab]/i.test(text)
}

// The filters of records whose values a filter takes.
export function sourcesOf(name, table) {
  return name === ANY_TAG ? table.tags.map((family) => `tag_${family}`) : [name]
}

function plainForm(form) {
  return form.replace(QUERIED, '')
}

// All parameters of a list in canonical order, with the form of their values if they are filters, else "".
export function formsOf(list, table) {
  const forms = { mode: '', q: '' }
  if (list.tagged) table.tags.map((family) => `tag_${family}`).concat(ANY_TAG).forEach((name) => { forms[name] = plainForm(list.tagged) })
  for (const name in list.filters) forms[name] = plainForm(list.filters[name])
  for (const mode in table.others) table.others[mode].forEach((name) => { forms[name] = '' })
  return forms
}

export function fill(template, values) {
  return template.replace(/:([a-z]+)/g, (_, name) => values[name])
}

// A path without unnecessary percent-encoding. Hosts decode paths before they match them.
export function plainly(path) {
  return path.replace(/%([0-9A-Fa-f]{2})/g, (encoded, code) => {
    const character = String.fromCharCode(parseInt(code, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded
  })
}

// A path without the path of the base URL.
export function unprefixed(path, table) {
  return table.prefix && path.indexOf(`${table.prefix}/`) === 0 ? path.slice(table.prefix.length) : path
}

// Whether an address is that of this path.
export function isAt(path, asked, table) {
  return unprefixed(plainly(asked), table) === path
}

// Route a request.  Returns one of
//   { status: 200, file, query }              a page of a list, and the query that it answers
//   { status: 200, file, record, slug }       a file; `record` is the list of the record, or undefined
//   { status, problem, detail, allowed }      a refusal; with `query`, one that a query tier answers
//   { status: 308, location }                 a redirect from the base URL's path without its last slash
//   { status: 405, allow }, { status: 204, allow }
// A query is { collection, mode: 'page', filters, sort, order, q, page }, the same with mode: 'rows', fields, limit and start,
// { collection, mode: 'count', filters, q, by, per, like, level, within, top, stat, start }, { mode: 'search', q }, { collection, mode: 'feed', filters, q: null, alarm, self, type }, or
// { mode: 'match', collection, part, raw } for the services that match names.
// `reading` parses what only a query tier answers; without it all of that is refused.
export function route(method, path, rawQuery, table) {
  const plain = plainly(path)
  const inside = unprefixed(plain, table)
  const service = new RegExp(table.service).exec(inside)
  if (table.methods.indexOf(method) < 0) return { status: 405, allow: table.methods }
  if (method === 'OPTIONS') return { status: 204, allow: table.methods }
  if (service) return unprepared({ mode: 'match', collection: service[1], part: service[2], raw: rawQuery }, table)
  if (inside === table.search) return routeQueried(rawQuery, null, table)
  for (let i = 0; i < table.lists.length; i++) {
    const list = table.lists[i]
    if (inside === list.root) return routeQueried(rawQuery, list, table)
    const slug = inside.indexOf(`${list.root}/`) === 0 ? inside.slice(list.root.length + 1) : ''
    if (slug.length <= table.longest.slug && matches(table.patterns.slug, slug)) {
      if (rawQuery) return tooMuch(inside, table)
      return { status: 200, file: list.root + fill(table.files.record, { slug: slug }), record: list, slug: slug }
    }
  }
  if (table.documents.indexOf(inside) >= 0) {
    return rawQuery ? tooMuch(inside, table) : { status: 200, file: `${inside}.json` }
  }
  if (table.prefix && inside === table.prefix) {
    return { status: 308, location: `${table.prefix}/${rawQuery ? `?${rawQuery}` : ''}` }
  }
  // Any other address is that of a file. Files of the API have an extension and need no encoding; a host that decodes an
  // encoded slash would find other files there.
  const encoded = inside.indexOf('%') >= 0
  const isFile = inside.indexOf(table.api) === 0 && !encoded && /[^/]\.[a-z0-9]+$/.test(inside)
  const reached = `${encoded ? unprefixed(plain.replace(/%2f/gi, '/'), table) : inside}/`
  if (reached.indexOf(table.api) === 0 && !isFile) return problem(table, 'not-found')
  return { status: 200, file: inside }
}

function tooMuch(path, table) {
  return problem(table, 'unknown-parameter', `${table.prefix}${path} takes no parameters.`)
}

// Route the query of a list, or of a search over all collections, for which the list is null.
function routeQueried(rawQuery, list, table) {
  const forms = list ? formsOf(list, table) : { q: '' }
  if (list && /(^|&)mode=rows(&|$)/.test(rawQuery)) table.rows.forEach((name) => { forms[name] = '' })
  if (!rawQuery) {
    if (!list) return invalid(table, `Give words to search for: ${table.prefix}${table.search}?q=words`, ['q'])
    if (list.bare) return { status: 200, file: list.bare }
    return problem(table, 'mode-required', `Ask for a page: ${table.prefix}${list.root}?mode=page`)
  }
  const near = reading && ((text, names) => list ? reading.near(text, names, list, table) : names)
  const values = {}
  const refused = readParameters(rawQuery, Object.keys(forms), near, values, table, forms)
  if (refused) return refused
  const misused = list && readMode(values, forms, table)
  if (misused) return misused
  const words = reading && values.q !== undefined ? reading.text(values.q, 'q', table) : null
  if (words && words.fault) return invalid(table, words.fault)
  const text = words ? words.text : reading || values.q === undefined ? null : values.q
  if (!list) return unprepared({ mode: 'search', q: text }, table)
  const query = { collection: list.name, mode: values.mode, filters: {}, q: text }
  return (values.mode !== 'count' && readPage(query, values, list, table, near)) ||
    (reading && reading[values.mode] && reading[values.mode](query, values, forms, list, table)) ||
    readFilters(query, values, list, table, forms) || routeQuery(query, list, table, forms)
}

// A refusal of the mode, or of a parameter that does not go with it; or undefined.
function readMode(values, forms, table) {
  const mode = values.mode
  const modes = Object.keys(table.others)
  if (modes.indexOf(mode) < 0) return problem(table, 'mode-required', 'mode must be page, count or rows.', modes)
  const others = table.others[mode]
  const stray = others.filter((name) => values[name] !== undefined)[0]
  const instead = reading ? `: ${table.instead[stray]}` : ''
  if (stray) return invalid(table, `${stray} cannot be used with mode=${mode}${instead}.`, reading && reading.without(others, forms))
}

// Add the parameters of a query string to `values`; returns a refusal, or undefined. `near` gives the names like one, `forms`
// tells filters, which take several conditions.
export function readParameters(rawQuery, known, near, values, table, forms) {
  const pairs = rawQuery.split('&').map((token) => {
    const at = token.indexOf('=')
    return at < 0 ? [token, ''] : [token.slice(0, at), token.slice(at + 1)]
  })
  const empty = pairs.filter((pair) => !pair[0] || !pair[1])[0]
  if (empty) {
    const what = empty[0] ? `The parameter "${shown(empty[0])}" has no value.` : 'The query has an empty parameter.'
    return invalid(table, what, known)
  }
  const strange = pairs.filter((pair) => known.indexOf(pair[0]) < 0)[0]
  if (strange) {
    const what = `There is no parameter "${shown(strange[0])}" here.`
    return problem(table, 'unknown-parameter', what, reading ? near(strange[0], known) : known)
  }
  for (let i = 0; i < pairs.length; i++) {
    const name = pairs[i][0]
    if (values[name] !== undefined) {
      const joined = reading && forms && forms[name] ? ` Join its conditions: ${name}=a,b;not:c` : ''
      return problem(table, 'repeated-parameter', `The parameter "${name}" is given more than once.${joined}`)
    }
    values[name] = pairs[i][1]
  }
}

// Add { sort, order, page } to a query: `sort` as given, `order` the sort that applies; returns a refusal, or undefined.
function readPage(query, values, list, table, near) {
  const sorts = (values.q === undefined ? [] : ['relevance']).concat(list.sorts, list.others)
  const order = values.sort || sorts[0]
  if (sorts.indexOf(order) < 0) return invalid(table, `There is no sort "${shown(order)}" here.`, reading ? near(order, sorts) : sorts)
  const page = values.page || '1'
  if (!matches(table.patterns.page, page)) return invalid(table, 'page must be a whole number from 1.')
  query.sort = values.sort || ''
  query.order = order
  query.page = Number(page)
}

// The text about an invalid value of a filter, with an example if its form needs one.
export function unlike(name, form, table) {
  const between = table.ranged[form]
  const example = between ? `: write ${between.split('..')[0]}, or a range such as ${between}` : ''
  return `"${name}" has an invalid value${example}.`
}

// Add the filters to the query, in canonical spelling; returns a refusal, or undefined.
export function readFilters(query, values, list, table, forms) {
  const named = Object.keys(forms).filter((name) => values[name] !== undefined)
  const off = named.filter((name) => list.fixed[name] && values[name] !== list.fixed[name].value)[0]
  if (off) return invalid(table, `${off} can only be ${list.fixed[off].value}.`, [list.fixed[off].value])
  for (let i = 0; i < named.length; i++) {
    const name = named[i]
    const form = forms[name]
    const value = values[name]
    if (list.fixed[name]) query.filters[name] = value
    else if (form) {
      const asked = reading ? reading.constraint(name, form, value, table) : constraintOf(name, form, value, table)
      if (!asked.text) {
        const refused = invalid(table, asked.fault)
        if (reading && asked.about) refused.about = [list.name].concat(asked.about)
        return refused
      }
      query.filters[name] = asked.text
    }
  }
}

// The refusal of a query that only a query tier answers.
export function unprepared(query, table) {
  const refused = problem(table, 'unsupported-combination')
  if (reading) refused.query = query
  return refused
}

// The prepared file that answers a query; else a refusal with its `query`, which a query tier answers.
export function routeQuery(query, list, table, forms) {
  const names = Object.keys(query.filters)
  const name = names[0]
  const form = forms[name]
  const queried = name === ANY_TAG || (list.filters[name] || list.tagged).indexOf(QUERIED) >= 0
  const prepared = !name || !form || (!queried && isPlain(query.filters[name]))
  const sorted = name ? query.order === list.sorts[0] : list.sorts.indexOf(query.order) >= 0
  if (query.mode !== 'page' || query.q !== null || names.length > 1 || !prepared || !sorted) return unprepared(query, table)
  const values = { filter: name, value: query.filters[name], sort: query.order, page: query.page }
  if (list.fixed[name]) return { status: 200, file: fill(list.fixed[name].file, values), query: query }
  const kind = name ? 'by' : query.order === list.sorts[0] ? 'plain' : 'sorted'
  return { status: 200, file: list.root + fill(table.files[kind], values), query: query }
}
