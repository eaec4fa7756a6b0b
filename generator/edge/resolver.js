// A request to the registry -> the prepared file that answers it, an answer of search.js, a problem, or a redirect.
//
// Everything is decided from the raw query and a table that generator/edge/__init__.py makes of the grammar; no parameter,
// path or text of a problem is spelled here.  Checked in this order, as the grammar does it: form of each token, unknown
// keys, repeated keys, the mode, values.  Nothing but `q` is decoded: a spelling that is not the plain one is another one.
//
// `route` keeps to what CloudFront Functions can run, which is ES 5.1 with const, let and template literals: no for-of, no
// spread, no destructuring, no default values, no property escapes.  The part below the line needs the Fetch API.

const LONGEST_SHOWN = 80

function problem(table, code, detail, allowed) {
  const published = table.problems[code]
  return { status: published[0], problem: code, detail: detail || published[2], allowed: allowed || null }
}

// The problem document of a refusal (RFC 9457), with the keys of the published one in its order.
function document(found, table) {
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

function fill(template, values) {
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

// --- below: any current engine ---

// How texts are folded: `table.folding`, which generator/api/folding.py tells, unpacked when a text beyond ASCII is asked for.
let folding

function unpackedFolding(packed) {
  const numbers = (text, between) => (text ? text.split(between).map((number) => parseInt(number, 36)) : [])
  const bounds = (text) => Uint32Array.from(numbers(text, ' '), ((at) => (gap) => (at += gap))(0))
  const folds = new Map()
  let code = 0
  for (const run of packed.folds.split(';')) {
    const [, gap, count, second, sign, to] = /^(\w+)\.?(\w*)(,?)([:=])(.*)$/.exec(run)
    const codes = numbers(to, '+')
    code += parseInt(gap, 36)
    for (let i = 0, one = code; i < parseInt(count || '1', 36); i++, one += second ? 2 : 1) {
      folds.set(one, String.fromCodePoint(...(sign === '=' ? codes : [one + codes[0]])))
    }
  }
  return { folds, composed: bounds(packed.composed), letters: bounds(packed.letters) }
}

// Whether a code point is inside of bounds: whether as many of them as it reaches is odd.
function within(bounds, code) {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bounds[middle] <= code) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}

// NFKD without combining marks, case folded; the same as generator.query.fold.
export function fold(text, table) {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase()
  folding ??= unpackedFolding(table.folding)
  const one = (character) => folding.folds.get(character.codePointAt(0)) ?? character
  return Array.from(text, (character) => {
    const code = character.codePointAt(0)
    if (code < 128) return character.toLowerCase()
    if (folding.folds.has(code) || !within(folding.composed, code)) return one(character)
    return Array.from(character.normalize('NFKD'), one).join('')
  }).join('')
}

// Runs of letters and digits of the folded text, in order, repeats kept.
export function wordsOf(text, table) {
  const known = (character) => {
    const code = character.codePointAt(0)
    return code < 128 ? /[a-z0-9]/.test(character) : within(folding.letters, code)
  }
  const spaced = Array.from(fold(text, table), (character) => (known(character) ? character : ' '))
  return spaced.join('').split(' ').filter(Boolean)
}

function textOf(raw, table) {
  const { characters, words } = table.text
  const broken = /%(?![0-9A-Fa-f]{2})/g
  let text
  try {
    text = decodeURIComponent(raw.replace(/\+/g, ' ').replace(broken, '%25'))
  } catch {
    text = '\ufffd'
  }
  // It stands for bytes that are no text, which some hosts replace before they ask.
  if (text.includes('\ufffd')) return { fault: 'q is not percent-encoded UTF-8.' }
  if (raw.search(broken) >= 0 || [...text].length > characters) {
    return { fault: `q is percent-encoded text of at most ${characters} characters.` }
  }
  const count = wordsOf(text, table).length
  return count >= 1 && count <= words ? { text } : { fault: `q has 1 to ${words} words of letters and digits.` }
}

// `route`, and what words a search may have.
export function resolve(method, path, rawQuery, table) {
  return route(method, path, rawQuery, table, (raw) => textOf(raw, table))
}

// The address of a file beside a request's.  Of a path that begins with two slashes the first part is no host.
export function beside(path, url) {
  const found = new URL(url)
  found.pathname = path
  found.search = ''
  return found
}

// The Response to a Request.  `fetchAsset(path, init)` gives the Response of the host's own files.
// `search`, where there is a query tier, is that of search.js and answers what has no prepared file.
export async function respond(request, fetchAsset, table, search) {
  const { pathname, search: query } = new URL(request.url)
  const found = resolve(request.method, pathname, query.slice(1), table)
  const head = request.method === 'HEAD'
  if (found.allow) return allowed(found, table)
  if (found.problem && found.query && search) return searched(found.query, request, fetchAsset, table, search)
  if (found.problem) return refusal(found, table, head)
  const api = found.file.startsWith(table.api)
  // What may say that it is elsewhere now: a record, and a list of one.
  const may = found.record || (found.query && (found.query.filters.program || found.query.filters.organization))
  const method = may ? 'GET' : request.method
  // No file has two slashes together in its path, and hosts would look for it with one.
  const asset = found.file.includes('//')
    ? new Response(null, { status: 404 })
    : await fetchAsset(found.file, { method, headers: request.headers, redirect: 'manual' })
  if (!api && asset.status !== 404) return asset
  if (!api) {
    const page = await fetchAsset(table.missing, { method: request.method })
    const { body, headers } = page.ok ? page : asset
    return new Response(head ? null : body, { status: 404, headers })
  }
  if (asset.status === 404) {
    const read = (path) => bytesOf(path, request, fetchAsset)
    const location = await present(found, read, table)
    if (location) return new Response(null, { status: 308, headers: { ...table.headers, location } })
    return refusal(await absent(found, read, table), table, head)
  }
  const headers = new Headers(asset.headers)
  for (const [name, value] of Object.entries(table.headers)) headers.set(name, value)
  if (asset.ok || asset.status === 304) headers.set('content-location', table.prefix + found.file)
  let body = head || asset.status === 304 ? null : asset.body
  if (may && asset.ok) {
    const text = await asset.text()
    if (isMoved(text)) {
      const { links, data } = JSON.parse(text)
      const location = found.record ? `${table.prefix}${found.record.root}/${data.replaced_by}` : links.replaced_by
      return new Response(null, { status: 308, headers: { ...table.headers, location } })
    }
    body = head ? null : text
  }
  return new Response(body, { status: asset.status, headers })
}

// What `search` answers; who has it already is told so before it is made (RFC 9110 section 13.1.2).
async function searched(query, request, fetchAsset, table, search) {
  const known = request.headers.get('if-none-match') ?? ''
  const has = (etag) => (known.match(/"[^"]*"/g) ?? []).includes(etag)
  const head = request.method === 'HEAD'
  const { body, etag, ...refused } = await search(query, (path) => bytesOf(path, request, fetchAsset), table, has)
  if (!etag) return refusal(refused, table, head)
  const headers = { ...table.headers, etag }
  if (!body || known.trim() === '*') return new Response(null, { status: 304, headers })
  return new Response(head ? null : body, { headers: { ...headers, 'content-type': table.json } })
}

// The bytes of a whole file, or null where there is none.  Of the request's headers those go with it that may be needed to
// be let in, and none that ask for a part, for what has changed or for another coding.
async function bytesOf(path, request, fetchAsset) {
  const headers = new Headers(request.headers)
  const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range']
  for (const name of [...conditions, 'range', 'accept-encoding']) headers.delete(name)
  const asset = await fetchAsset(path, { headers })
  const body = await asset.arrayBuffer()
  return asset.ok ? new Uint8Array(body) : null
}

// The kind is among the first keys of every document.
function isMoved(text) {
  return text.slice(0, 99).includes('"kind":"moved"')
}

// Where a page is of a list of a former slug, or undefined: the record's own document tells.
async function present(found, read, table) {
  const [filter, value] = Object.entries((found.query && found.query.filters) || {})[0] || []
  const list = table.lists.find(({ name }) => table.kinds[name] === filter)
  const record = list && (await read(list.root + fill(table.files.record, { slug: value })))
  const text = record && new TextDecoder().decode(record)
  if (!text || !isMoved(text)) return undefined
  return table.prefix + found.file.replace(`/${filter}/${value}/`, `/${filter}/${JSON.parse(text).data.replaced_by}/`)
}

// Why a file is not there.
async function absent(found, read, table) {
  if (found.record) return problem(table, 'not-found', `There is no ${table.kinds[found.record.name]} "${found.slug}".`)
  if (!found.query) return problem(table, 'not-found')
  const { collection, filters, page } = found.query
  const first = await read(found.file.replace(/[0-9]+(?=\.json$)/, '1'))
  const pages = first ? totalOf(first) : 0
  if (pages && page > pages) return pastTheEnd(page, pages, table)
  const asked = Object.entries(filters).filter(([name]) => !table.lists.some((list) => name in list.fixed))
  if (!first && asked.length) return unknownValue(collection, ...asked[0], table)
  return { ...table.unavailable, detail: `The build is damaged: ${found.file} is missing. Build it again.` }
}

// The number of pages that a list's first page tells, 0 where it tells none.
function totalOf(page) {
  try {
    return JSON.parse(new TextDecoder().decode(page)).page.total_pages
  } catch {
    return 0
  }
}

export function pastTheEnd(page, pages, table) {
  return problem(table, 'not-found', `There is no page ${page}: the list has ${pages} page${pages === 1 ? '' : 's'}.`)
}

export function unknownValue(collection, filter, value, table) {
  const { root } = table.lists.find(({ name }) => name === collection)
  const values = table.prefix + root + fill(table.files.values, { filter })
  return problem(table, 'not-found', `No ${table.kinds[collection]} has the ${filter} "${value}"; ${values} lists its values.`)
}

// A problem, or where there is no document of one (`type` is then about:blank) what its status says.
function refusal(found, table, head) {
  const headers = { ...table.headers, ...found.headers, 'content-type': table.type }
  const { status, title, detail } = found
  const body = found.problem ? document(found, table) : { type: 'about:blank', title, status, detail }
  return new Response(head ? null : `${JSON.stringify(body)}\n`, { status, headers })
}

function allowed(found, table) {
  const headers = { ...table.headers, allow: found.allow.join(', ') }
  if (found.status === 204) return new Response(null, { status: 204, headers: { ...headers, ...table.preflight } })
  return new Response(`${table.not_allowed}\n`, { status: found.status, headers: { ...headers, 'content-type': table.type } })
}
