// What the scripts of pages share.  What a page tells them is JSON in its element `page` (templates/site/script.html.j2).

// Without a prototype: a value, or a name in an address, may be called `constructor`.
const bare = (_, value) => (value && typeof value === 'object' && !Array.isArray(value) ? Object.assign(Object.create(null), value) : value)
const page = JSON.parse(document.getElementById('page').textContent, bare)

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

// An element `tag.class.class` with attributes, where null and false leave one out, and children: nodes and texts.
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split('.')
  const element = document.createElement(tag)
  if (classes.length) element.className = classes.join(' ')
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat().filter((child) => child !== null && child !== false))
  return element
}

// Puts other elements into a place.  What had the focus has it again, if it is still there: known by its data-key.
export function refill(place, elements) {
  const { activeElement } = document
  const key = place.contains(activeElement) && activeElement.dataset.key
  place.replaceChildren(...elements)
  if (key) $(`[data-key="${CSS.escape(key)}"]`, place)?.focus({ preventScroll: true })
}

// An answer that is none: `problem` is the document of a refusal, null where there was no answer at all.
export class Refused extends Error {
  constructor(problem) {
    super(problem ? problem.detail : '')
    this.problem = problem
  }
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

// The document that answers a query, such as `/api/projects?mode=count&by=status`.  Throws Refused.
export async function ask(target) {
  let response
  try {
    response = await (await load()).ask(target)
  } catch {
    throw new Refused(null)
  }
  const answer = await response.json().catch(() => null)
  if (!response.ok) throw new Refused(answer)
  return answer
}
