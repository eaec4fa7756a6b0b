// A request to the registry -> the prepared file that answers it, a query for search.mjs, a problem, or a redirect.
//
// Everything is decided from the raw query and a table that generator/edge/__init__.py makes of the grammar; no parameter,
// path or text of a problem is spelled here.  Checked in this order, as the grammar does it: form of each token, unknown
// keys, repeated keys, the mode, values.  Nothing but `q` is decoded: a spelling that is not the plain one is another one.
//
// This file keeps to what CloudFront Functions can run, which is ES 5.1 with const, let and template literals: no for-of, no
// spread, no destructuring, no default values, no property escapes.

const LONGEST_SHOWN = 80

export function problem(table, code, detail, allowed) {
  const published = table.problems[code]
  return { status: published[0], problem: code, detail: detail || published[2], allowed: allowed || null }
}

// The problem document of a refusal (RFC 9457), with the keys of the published one in its order.
export function document(found, table) {
  return {
    type: table.problem.type.replace(':code', found.problem),
    title: table.problems[found.problem][1],
    status: found.status,
    detail: found.detail,
    code: found.problem,
    allowed: found.allowed,
    help: table.problem.help,
  }
}

function matches(pattern, value) {
  return new RegExp(`^(?:${pattern})$`).test(value)
}

function shown(text) {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

export function fill(template, values) {
  return template.replace(/:([a-z]+)/g, (_, name) => values[name])
}

// A path as it is plainly written: what is percent-encoded and need not be is not.  Hosts decode what they match.
function plainly(path) {
  return path.replace(/%([0-9A-Fa-f]{2})/g, (encoded, code) => {
    const character = String.fromCharCode(parseInt(code, 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded
  })
}

// A path without the base URL's.
function unprefixed(path, table) {
  return table.prefix && path.indexOf(`${table.prefix}/`) === 0 ? path.slice(table.prefix.length) : path
}

// One of
//   { status: 200, file, query }              a page of a list, and the query that it answers
//   { status: 200, file, record, slug }       a file; `record` is the list whose record it is, or undefined
//   { status, problem, detail, allowed }      a refusal; with `query`, one that a query tier answers
//   { status: 405, allow }, { status: 204, allow }
// `readText(raw)`, where there is one, gives the text of `q` as { text }, or what is wrong with it as { fault }.
export function route(method, path, rawQuery, table, readText) {
  if (table.methods.indexOf(method) < 0) return { status: 405, allow: table.methods }
  if (method === 'OPTIONS') return { status: 204, allow: table.methods }
  const plain = plainly(path)
  const inside = unprefixed(plain, table)
  for (let i = 0; i < table.lists.length; i++) {
    const list = table.lists[i]
    if (inside === list.root) return routeList(rawQuery, list, table, readText)
    const slug = inside.indexOf(`${list.root}/`) === 0 ? inside.slice(list.root.length + 1) : ''
    if (slug.length <= table.longest.slug && matches(table.patterns.slug, slug)) {
      if (rawQuery) return tooMuch(inside, table)
      return { status: 200, file: list.root + fill(table.files.record, { slug: slug }), record: list, slug: slug }
    }
  }
  if (Object.prototype.hasOwnProperty.call(table.documents, inside)) {
    return rawQuery ? tooMuch(inside, table) : { status: 200, file: table.documents[inside] }
  }
  // Any other address is a file's own, and its path the whole question.  Below the API every file has an extension and
  // none a name to encode; a host that takes an encoded slash for a slash would find others there.
  const encoded = inside.indexOf('%') >= 0
  const reached = encoded ? unprefixed(plain.replace(/%2f/gi, '/'), table).toLowerCase() : inside
  if (reached.indexOf(table.api) === 0 && (encoded || !/[^/]\.[a-z0-9]+$/.test(inside))) return problem(table, 'not-found')
  return { status: 200, file: inside }
}

function tooMuch(path, table) {
  return problem(table, 'unknown-parameter', `${table.prefix}${path} takes no parameters.`)
}

function routeList(rawQuery, list, table, readText) {
  if (!rawQuery) {
    if (list.bare) return { status: 200, file: list.bare }
    return problem(table, 'mode-required', `Ask for a page: ${table.prefix}${list.root}?mode=page`)
  }
  const pairs = rawQuery.split('&').map((token) => {
    const at = token.indexOf('=')
    return at < 0 ? [token, ''] : [token.slice(0, at), token.slice(at + 1)]
  })
  const known = Object.keys(list.parameters)
  for (let i = 0; i < pairs.length; i++) {
    if (!pairs[i][0]) return problem(table, 'invalid-parameter', 'The query has an empty parameter.', known)
    if (!pairs[i][1]) return problem(table, 'invalid-parameter', `The parameter "${shown(pairs[i][0])}" has no value.`, known)
  }
  for (let i = 0; i < pairs.length; i++) {
    if (known.indexOf(pairs[i][0]) < 0) {
      return problem(table, 'unknown-parameter', `There is no parameter "${shown(pairs[i][0])}" here.`, known)
    }
  }
  const given = {}
  for (let i = 0; i < pairs.length; i++) {
    if (given[pairs[i][0]] !== undefined) {
      return problem(table, 'repeated-parameter', `The parameter "${pairs[i][0]}" is given more than once.`)
    }
    given[pairs[i][0]] = pairs[i][1]
  }
  if (given.mode !== 'page') return problem(table, 'mode-required', 'Only mode=page is answered.', ['page'])
  const searched = given.q !== undefined
  const read = searched && readText ? readText(given.q) : { text: searched ? given.q : null }
  if (read.fault) return problem(table, 'invalid-parameter', read.fault)
  const sorts = searched ? ['relevance'].concat(list.sorts) : list.sorts
  const sort = given.sort || sorts[0]
  if (sorts.indexOf(sort) < 0) return problem(table, 'invalid-parameter', `There is no sort "${shown(sort)}" here.`, sorts)
  const page = given.page || '1'
  if (!matches(table.patterns.page, page)) return problem(table, 'invalid-parameter', 'A page is a whole number from 1.')
  const filters = {}
  const names = known.filter((name) => given[name] !== undefined && (list.parameters[name] || list.fixed[name]))
  for (let i = 0; i < names.length; i++) {
    const name = names[i]
    const value = given[name]
    const fixed = list.fixed[name]
    if (fixed && value !== fixed.value) {
      return problem(table, 'invalid-parameter', `${name} can only be ${fixed.value}.`, [fixed.value])
    }
    if (!fixed && (value.length > table.longest.value || !matches(table.patterns[list.parameters[name]], value))) {
      return problem(table, 'invalid-parameter', `"${name}" has a value that no ${name} can have.`)
    }
    filters[name] = value
  }
  const plain = sort === list.sorts[0]
  // `sort` is as it was given, `order` what it comes to.
  const query = { collection: list.name, filters: filters, sort: given.sort || '', order: sort, q: read.text, page: Number(page) }
  if (searched || names.length > 1 || (names.length && !plain)) {
    // What has no prepared file.  A query tier answers `query`; without one this is the answer.
    const refused = problem(table, 'unsupported-combination')
    refused.query = query
    return refused
  }
  const name = names[0]
  const values = { filter: name, value: filters[name], sort: sort, page: page }
  if (list.fixed[name]) return { status: 200, file: fill(list.fixed[name].file, values), query: query }
  return { status: 200, file: list.root + fill(table.files[name ? 'by' : plain ? 'plain' : 'sorted'], values), query: query }
}
