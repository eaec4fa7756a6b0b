// What the scripts of pages share.  What a page tells them is JSON in its element `page` (templates/site/script.html.j2).

// Without a prototype: a value, or a name in an address, may be called `constructor`.
const bare = (_, value) => (value && typeof value === 'object' && !Array.isArray(value) ? Object.assign(Object.create(null), value) : value)
let page = JSON.parse(document.getElementById('page')?.textContent ?? '{}', bare)

// Takes what a page tells from the text of a file instead.
export function adopt(text) {
  page = JSON.parse(text, bare)
  return page.told
}

// What only a script answers is shown where one runs: `needs-script`.
document.documentElement.classList.add('js')

// Whatever else the template of the page tells its script.
export const told = page.told

// The text of a key, with values in place of `{name}`; of a text with a singular the one that `count` asks for.
export function t(key, values = {}) {
  const text = page.texts[key]
  const one = typeof text === 'string' ? text : values.count === 1 ? text.one : text.other
  return one.replace(/\{([a-z_]+)\}/g, (_, name) => (typeof values[name] === 'number' ? number(values[name]) : values[name]))
}

// A whole number with the language's mark between thousands.
export const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, page.thousands)

// What a path of the site or of the API is linked to as.
export const url = (path) => page.prefix + path

export const $ = (selector, within = document) => within.querySelector(selector)
export const $$ = (selector, within = document) => [...within.querySelectorAll(selector)]

// An element `tag.class.class` with attributes, and children: nodes and texts; null, undefined and false are left out.
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.')
  const element = document.createElement(tag)
  if (classes.length) element.className = classes.join(' ')
  for (const [key, value] of Object.entries(attributes)) {
    if ((value ?? false) !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat().filter((child) => (child ?? false) !== false))
  return element
}

// Puts other elements into a place.  What had the focus has it again, if it is still there: known by its data-key.
export function refill(place, elements) {
  const { activeElement } = document
  const key = place.contains(activeElement) && activeElement.dataset.key
  place.replaceChildren(...elements)
  if (key) $(`[data-key="${CSS.escape(key)}"]`, place)?.focus({ preventScroll: true })
}

// An answer that is none: `problem` is the document of a refusal, or has only its status; null where the host cannot be reached.
export class Refused extends Error {
  constructor(problem) {
    super(problem?.detail ?? '')
    this.problem = problem
  }
}

// The key of the text that says why there is no answer: `offline`, `busy` while the registry is updating, else `broken`.
export function reasonOf(error) {
  if (!(error instanceof Refused)) return 'broken'
  return error.problem ? (error.problem.status === 503 ? 'busy' : 'broken') : 'offline'
}

let engine
let failures = 0

// The query module, loaded when it is first asked for.  A browser may keep that a module could not be loaded, so that the
// next attempt has another address.
export function load() {
  const again = failures ? `?${failures}` : ''
  engine ??= import(`${url('/api/search.js')}${again}`).catch((error) => {
    engine = null
    failures++
    throw error
  })
  return engine
}

// The last answer of each manifest is used for a minute, as caches of hosts do: { response, at } by path.  So are the files
// that the early script has asked for.
const FRESH = 60_000
// The rows of a page that are asked for at once.
export const TEN = 10
const { begun } = globalThis
const fetched = begun?.files ?? new Map()

// Files that are being read, by path: queries that need the same file read it once.
const pending = new Map()

async function fetchFile(path, init, again) {
  const { fetchBeside } = await load()
  const known = !again && fetched.get(path)
  if (known && Date.now() - known.at <= FRESH) return known.response.then((one) => one.clone(), () => fetchFile(path, init, again))
  if (!path.endsWith('/manifest.json')) return again ? fetchBeside(path, init, again) : readOnce(path, () => fetchBeside(path, init, again))
  const response = fetchBeside(path, init, again)
  fetched.set(path, { response, at: Date.now() })
  response.catch(() => fetched.delete(path))
  return (await response).clone()
}

async function readOnce(path, read) {
  if (!pending.has(path)) {
    const response = read()
    pending.set(path, response)
    const done = () => pending.delete(path)
    response.then((held) => held.clone().arrayBuffer()).then(done, done)
  }
  return (await pending.get(path)).clone()
}

// Reads ahead what a query needs before its rows.
export const prepare = (target) => load().then((engine) => engine.prepare(target, fetchFile))

// The answer that the early script asked for, once.
function early(target, part) {
  if (begun?.target !== target || part?.[1] !== TEN) return null
  const { answer } = begun
  begun.target = null
  return answer
}

// The document that answers a query, such as `/api/projects?mode=count&by=status`; with `part`, [from, to], only these rows
// of a page, unless a prepared file has them all.  Throws Refused.
export async function ask(target, part) {
  let answer
  let status = 500
  try {
    const response = await (early(target, part) ?? (await load()).ask(target, fetchFile, part))
    answer = await response.json()
    if (response.ok) return answer
    status = response.status
  } catch {
    // The connection is lost, or the module has a fault.
  }
  if (status >= 500 && !(await isReachable())) throw new Refused(null)
  throw new Refused(answer ? { ...answer, status } : { status })
}

// Whether the host of the page answers at all.
export const isReachable = () => fetch(url('/api/search.js'), { method: 'HEAD', cache: 'no-store' }).then(() => true, () => false)
