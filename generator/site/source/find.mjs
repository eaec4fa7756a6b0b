// The search box: results of all collections while one types, values of filters that begin so, and recent searches.  The
// field is a combobox whose list has links as options (www.w3.org/WAI/ARIA/apg/patterns/combobox).
import { $, $$, adopt, ask, el, number, prepare, reasonOf, t, url } from './common.mjs'
import { searched } from './shared/words.mjs'

const TYPING = 100
// Rows and values that are shown, searches that are kept, filters that one answer counts by, places that are looked for.
const [ROWS, VALUES, RECENT, BY, PLACES] = [3, 4, 5, 3, 2]
const KEPT = 'registry.searches'

const form = $('#find')
const { q: input } = form.elements
const [list, said] = [$('#find-found'), $('#find-said')]
const { lang } = document.documentElement
let collections // known when `begin` has read them
let turn = 0
let timer
let shown = '' // the words that the list is of
let best // the list that Enter without a choice leads to

const plain = (text) => encodeURIComponent(text).replace(/%20/g, '+')
const target = (q) => `/api/search?q=${plain(q)}`
const amount = (name, count) => t('count', { count, ...collections[name] })

// --- recent searches; without a storage there are none ---

function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT)) ?? []
    return kept.filter((text) => typeof text === 'string').slice(0, RECENT)
  } catch {
    return []
  }
}

function keep(texts) {
  try {
    if (texts.length) localStorage.setItem(KEPT, JSON.stringify(texts))
    else localStorage.removeItem(KEPT)
  } catch {
    // Refused: nothing is kept.
  }
}

const remember = (text) => text && keep([text, ...recent().filter((one) => one !== text)].slice(0, RECENT))

// --- the list ---

const options = () => $$('[role=option]', list)
const active = () => $('[aria-selected=true]', list)

function choose(option) {
  active()?.setAttribute('aria-selected', 'false')
  option?.setAttribute('aria-selected', 'true')
  option?.scrollIntoView({ block: 'nearest' })
  if (option) input.setAttribute('aria-activedescendant', option.id)
  else input.removeAttribute('aria-activedescendant')
}

// Shows groups of options: [label, options, id].  `note` is said above them.
function open(groups, note = '') {
  const filled = groups.filter(([, members]) => members.length)
  choose(null)
  list.replaceChildren(
    ...[note].filter(Boolean).map((text) => el('p.note-line', {}, text)),
    el('div', { role: 'listbox', id: 'find-list', 'aria-label': input.labels[0].textContent, hidden: !filled.length }, filled.map(group)),
  )
  options().forEach((option, i) => (option.id = `find-${i}`))
  list.hidden = !filled.length && !note
  input.setAttribute('aria-expanded', String(filled.length > 0))
}

function group([label, members], i) {
  const head = el('div.kind', { id: `find-kind-${i}`, role: 'presentation' }, label)
  return el('div', { role: 'group', 'aria-labelledby': head.id }, head, members)
}

function close() {
  turn++
  clearTimeout(timer)
  list.hidden = true
  shown = ''
  choose(null)
  input.setAttribute('aria-expanded', 'false')
}

const option = (href, ...children) => el('a', { role: 'option', href, tabindex: '-1', 'aria-selected': 'false' }, children)

// An option that does something here.
function action(label, act) {
  const one = option(null, label)
  one.onclick = act
  return one
}

const again = (text) =>
  action(el('bdi', {}, text), () => {
    input.value = text
    look()
  })

function offerRecent() {
  const texts = recent()
  const clear = action(t('clear'), () => {
    keep([])
    close()
  })
  open([[t('recent'), texts.length ? [...texts.map(again), clear] : []]])
}

// --- results ---

async function look() {
  clearTimeout(timer)
  const mine = ++turn
  const { q, fault } = searched(input.value)
  if (!collections) return
  const note = fault && t(fault, { words: q })
  if (!q) {
    if (fault) open([], note)
    else offerRecent()
    said.textContent = note
    return
  }
  if (list.hidden || !shown) open([], t('searching'))
  try {
    const answer = await ask(target(q))
    if (mine !== turn) return
    show(q, answer, [], note)
    const values = await offered(q)
    if (mine === turn && values.length) show(q, answer, values, note)
  } catch (error) {
    if (mine !== turn) return
    const failure = t(reasonOf(error))
    said.textContent = failure
    open([], failure)
  }
}

function show(q, { total_items: total, data, suggestions }, values, note) {
  const chosen = active()?.href
  // A collection without records has no page: the box does not know it.
  const known = Object.entries(data).filter(([name]) => name in collections)
  const found = known.sort(([, a], [, b]) => b.total_items - a.total_items)
  best = found.find(([name, { total_items: count }]) => count && collections[name].list)?.[0]
  const groups = found.map(([name, of]) => [collections[name].label, rows(name, of, q)])
  shown = q
  const none = total + values.length ? '' : t('none', { words: q })
  open([[t('filters'), values.map(valueOption)], ...groups, [t('meant'), suggestions.map(again)]], [note, none].filter(Boolean).join(' '))
  choose(options().find(({ href }) => chosen && href === chosen))
  said.textContent = [note, none || t('results', { count: total })].filter(Boolean).join(' ')
}

function rows(name, { total_items: total, data }, q) {
  const { root, pages, list: isList } = collections[name]
  const page = (slug) => url(pages ? `${root}${slug}/` : root)
  const found = data.slice(0, ROWS).map(({ slug, name: named, summary }) =>
    option(page(slug), el('bdi.name', {}, named), summary && el('bdi.summary', {}, summary)),
  )
  if (isList && total > ROWS) found.push(option(url(`${root}?q=${plain(q)}`), t('all', { amount: amount(name, total) })))
  return found
}

// --- values of filters ---

const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const isCountry = (name, value) => name === 'location' && /^[a-z]{2}$/.test(value)
const [regions, english] = [lang, 'en'].map((name) => new Intl.DisplayNames([name], { type: 'region' }))
const isEnglish = lang.startsWith('en')
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

// The English names of continents and countries of which a word in the page's language begins with the text: documents have these.
function placesLike(text, words) {
  if (isEnglish) return []
  const begins = (name) => ` ${folded(name)}`.includes(` ${folded(text)}`)
  const continents = Object.keys(words).filter((value) => begins(words[value]))
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
  const countries = codes.filter((code) => regions.of(code) !== code && begins(regions.of(code)))
  return [...continents.map((value) => value.replace('-', ' ')), ...countries.map((code) => english.of(code))].slice(0, PLACES)
}

function labelOf({ collection, name, value, label }) {
  if (isCountry(name, value) && !isEnglish) return regions.of(value.toUpperCase())
  return collections[collection].words[name]?.[value] ?? label
}

// The values whose words begin with the words: the equal ones first, then the most frequent.
async function offered(q) {
  const asked = Object.entries(collections).flatMap(([collection, { api, filters, words }]) => [
    ...filters.flatMap((_, i) => (i % BY ? [] : [[collection, api, filters.slice(i, i + BY), q]])),
    ...filters.filter(([name]) => name === 'location').flatMap((of) => placesLike(q, words.location).map((like) => [collection, api, [of], like])),
  ])
  const found = await Promise.all(
    asked.map(async ([collection, api, filters, like]) => {
      const by = filters.map(([name]) => name).join()
      const { counts } = await ask(`${api}?mode=count&by=${by}&like=${plain(like)}`)
      return filters.flatMap(([name, of]) =>
        counts[name].values.map((one) => {
          const value = { ...one, collection, name, of }
          return { ...value, label: labelOf(value) }
        }),
      )
    }),
  ).catch(() => [])
  const isEqual = ({ label }) => folded(label) === folded(q)
  const order = (a, b) => isEqual(b) - isEqual(a) || b.count - a.count
  const values = new Map(found.flat().map((one) => [[one.collection, one.name, one.value].join(), one]))
  return [...values.values()].sort(order).slice(0, VALUES)
}

function valueOption({ collection, name, value, label, of, count }) {
  const { root } = collections[collection]
  const what = isCountry(name, value) ? t('country') : of
  return option(url(`${root}?${name}=${value}`), `${what}: `, el('bdi.name', {}, label), el('span.count', {}, amount(collection, count)))
}

// --- keys and the pointer ---

const ahead = (q) => {
  const wanted = q ? [target(q)] : Object.values(collections ?? {}).map(({ api }) => `${api}?mode=page`)
  for (const one of wanted) prepare(one).catch(() => {})
}

function typed() {
  clearTimeout(timer)
  timer = setTimeout(look, TYPING)
  choose(null)
  const { q } = searched(input.value)
  if (q) ahead(q)
}

function follow(option) {
  const { q } = searched(input.value)
  if (option.href) remember(q)
  option.click()
}

form.addEventListener('keydown', (event) => {
  const { key, isComposing } = event
  if (isComposing) return
  const stops = list.hidden ? [] : options()
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (step && stops.length) {
    const at = stops.indexOf(active()) + step
    choose(at < 0 && step < 0 && active() ? null : stops[(at < 0 ? stops.length - 1 : at) % stops.length])
  } else if (step) look()
  else if (key === 'Enter' && active()) follow(active())
  else if (key === 'Escape' && !list.hidden) close()
  else if (key === 'Escape') input.value = ''
  else return
  event.preventDefault()
})

form.addEventListener('submit', (event) => {
  const { q, fault } = searched(input.value)
  remember(q)
  if (fault || best) event.preventDefault()
  const root = shown === q && best ? url(collections[best].root) : form.getAttribute('action')
  if (q && (fault || best)) location.assign(`${root}?q=${plain(q)}`)
})

list.addEventListener('click', ({ target }) => {
  if (target.closest('[href]')) remember(searched(input.value).q)
})
// A click on an option is made before the field loses the focus, and answers that arrive now do not move the option away.
list.addEventListener('pointerdown', (event) => {
  event.preventDefault()
  if (event.target.closest('[role=option]')) turn++
})
form.addEventListener('focusout', ({ relatedTarget }) => form.contains(relatedTarget) || close())
input.addEventListener('input', typed)
input.addEventListener('focus', start)

// Without what `begin` reads, the box is a form that leads to a list.
function start() {
  if (!collections) begin().catch(() => {})
  else if (searched(input.value).q) look()
  else offerRecent()
}

async function begin() {
  const response = await fetch(form.dataset.told)
  if (!response.ok) return
  ;({ collections } = adopt(await response.text()))
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'find-list' })) {
    input.setAttribute(name, value)
  }
  open([])
  ahead('')
  if (document.activeElement === input) start()
}

start()
