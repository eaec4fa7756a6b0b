// The search box: the best records of all collections while one types, values of filters, the other records by collection,
// and recent searches.  The field is a combobox whose list has links as options
// (www.w3.org/WAI/ARIA/apg/patterns/combobox).
import { $, $$, adopt, ask, el, prepare, reasonOf, t, url } from './common.mjs'
import { CLOSE, marker, wordsOf } from './shared/marker.mjs'
import { WORD, searched } from './shared/words.mjs'

// Milliseconds without a key before words are searched, and before fewer than `BEGUN` letters are, which are seldom a word.
const [TYPING, PAUSE, BEGUN] = [140, 400, 3]
// Rows that are read, best matches, values that are shown, searches that are kept.
const [ROWS, BEST, VALUES, RECENT] = [6, 5, 4, 5]
const KEPT = 'registry.searches'

const form = $('#find')
const { q: input } = form.elements
const [list, said] = [$('#find-found'), $('#find-said')]
const { lang } = document.documentElement
const regions = new Intl.DisplayNames([lang], { type: 'region' })
let settings // known when `begin` has read them
const values = [] // those of all filters, when they were read
let reading // of the values
let isRead = false
let turn = 0
let timer
let shown = '' // what was typed, as the list shows it
let words = '' // the words of its results
let best // the list that Enter without a choice leads to

const plain = (text) => encodeURIComponent(text).replace(/%20/g, '+')
const target = (q) => `/api/search?q=${plain(q)}`
const amount = (name, count) => t('count', { count, ...settings.collections[name] })

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
  fit()
  input.setAttribute('aria-expanded', String(filled.length > 0))
}

// The list begins where the field does, or ends there if the window has no room for it.
function fit() {
  list.classList.remove('end')
  const { left, right } = list.getBoundingClientRect()
  list.classList.toggle('end', left < 0 || right > document.documentElement.clientWidth)
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
  if (!settings) return
  const note = fault && t(fault, { words: q })
  if (!q) {
    if (fault) open([], note)
    else offerRecent()
    said.textContent = note
    return
  }
  if (list.hidden || !shown) open([], t('searching'))
  try {
    const found = await find(q)
    const draw = () => mine === turn && show(q, found, note)
    draw()
    if (isRead) return
    await reading
    draw()
  } catch (error) {
    if (mine !== turn) return
    const failure = t(reasonOf(error))
    said.textContent = failure
    open([], failure)
  }
}

// What is found for words, and for which: if nothing is, for the first suggestion.
async function find(q) {
  const found = await ask(target(q), [0, ROWS])
  const [meant, ...others] = found.suggestions
  if (!meant) return { ...found, words: q }
  await reading
  if (valuesOf(q).length) return { ...found, words: q }
  return { ...(await ask(target(meant), [0, ROWS])), suggestions: others, words: meant }
}

function show(q, found, note) {
  const { collections } = settings
  const chosen = active()?.href
  const mark = marker(found.words, 1)
  // A collection without records has no page: the box does not know it.
  const known = Object.entries(found.data).filter(([name]) => name in collections)
  known.sort(([, a], [, b]) => b.total_items - a.total_items)
  const records = ranked(found.words, known)
  const offered = valuesOf(found.words)
  const first = bestOf(records, offered)
  ;[shown, words] = [q, found.words]
  best = known.find(([name, { total_items: count }]) => count && collections[name].list)?.[0]
  const groups = known.map(([name, { total_items: total }]) => {
    const own = records.filter((one) => one.name === name)
    const others = own.filter((one) => !first.includes(one)).map((one) => recordOption(one, mark, false))
    if (collections[name].list && total > own.length) others.push(allOption(name, total))
    return [collections[name].label, others]
  })
  const instead = words === q ? '' : t('instead', { words: q, meant: words })
  const none = found.total_items + offered.length ? '' : t('none', { words: q })
  open(
    [
      [t('best'), first.map((one) => recordOption(one, mark, true))],
      [t('filters'), offered.map((one) => valueOption(one, mark))],
      ...groups,
      [t('meant'), found.suggestions.map(again)],
    ],
    [note, instead, none].filter(Boolean).join(' '),
  )
  choose(options().find(({ href }) => chosen && href === chosen))
  said.textContent = [note, instead, none || t('results', { count: found.total_items || offered.length })].filter(Boolean).join(' ')
}

// --- records ---

// Which of a record's names is better: 0 is the query, 1 begins with it, 2 has its words, 3 has not.
function rankBy(q) {
  const wanted = wordsOf(q)
  const whole = wanted.join('')
  return (name) => {
    const own = wordsOf(name)
    const joined = own.join('')
    if (joined.startsWith(whole)) return joined === whole ? 0 : 1
    return wanted.every((word) => own.some((one) => (CLOSE.test(word) ? one.includes(word) : one.startsWith(word)))) ? 2 : 3
  }
}

// The records that were read, as { name, record, rank }, the best first: by name, events that are ahead before those that are
// over, then as each collection has them, in turn.
function ranked(q, known) {
  const rank = rankBy(q)
  const now = Date.now()
  const records = known.flatMap(([name, { data }]) =>
    data.map((record, place) => ({ name, record, place, rank: rank(record.name), isOver: Boolean(record.ends_at) && Date.parse(record.ends_at) < now })),
  )
  return records.sort((a, b) => a.rank - b.rank || a.isOver - b.isOver || a.place - b.place)
}

// The best of these: those whose names match; if there are none, and the words are no value of a filter either, those that
// match at all.
function bestOf(records, offered) {
  const named = records.filter(({ rank }) => rank < 3)
  const isValue = offered.some(({ isEqual }) => isEqual)
  return (named.length || isValue ? named : records).slice(0, BEST)
}

// A day as the site writes it, of a date or a time.
function day(iso) {
  const [year, month, number] = iso.slice(0, 10).split('-')
  return settings.date.replace(/\{(\w+)\}/g, (_, part) => ({ day: Number(number), month: settings.months[month], year })[part])
}

// When or where a record is.
function whenOrWhere({ kind, year, locations, starts_local: starts, ends_local: ends }) {
  const at = kind === 'event' ? starts : (ends ?? starts)
  if (at) return day(at)
  if (year) return String(year)
  const [place] = locations ?? []
  return place && (place.city || place.region || regions.of(place.country))
}

function recordOption({ name, record }, mark, isBest) {
  const { root, pages, kinds, one } = settings.collections[name]
  const what = kinds[record.kind] ?? (isBest && one)
  return option(
    url(pages ? `${root}${record.slug}/` : root),
    el('span.what', {}, el('bdi.name', {}, mark(record.name)), record.summary && el('bdi.summary', {}, mark(record.summary))),
    aside(what, whenOrWhere(record)),
  )
}

const aside = (...texts) => el('span.aside', {}, texts.filter(Boolean).join(' · '))

const allOption = (name, total) => option(url(`${settings.collections[name].root}?q=${plain(words)}`), t('all', { amount: amount(name, total) }))

// --- values of filters ---

// The words of a value: those of its label, those of the value, and these joined.
const textOf = (value, label) => [label, value, value.replace(/-/g, '')].map((text) => ` ${wordsOf(text).join(' ')}`).join('')

// The values whose words begin with the words: the equal ones first, then the most frequent.
function valuesOf(q) {
  const wanted = wordsOf(q)
  const isEqual = ({ label }) => wordsOf(label).join() === wanted.join()
  const found = values.filter(({ text }) => wanted.every((word) => text.includes(CLOSE.test(word) ? word : ` ${word}`)))
  const shown = found.map((value) => ({ ...value, isEqual: isEqual(value) }))
  return shown.sort((a, b) => b.isEqual - a.isEqual || b.count - a.count).slice(0, VALUES)
}

function valueOption({ collection, name, what, value, label, count }, mark) {
  const { root } = settings.collections[collection]
  return option(url(`${root}?${name}=${value}`), el('span.what', {}, el('bdi.name', {}, mark(label))), aside(what, amount(collection, count)))
}

// --- keys and the pointer ---

const ahead = (...targets) => targets.map((one) => prepare(one).catch(() => {}))

function typed() {
  clearTimeout(timer)
  const { q } = searched(input.value)
  timer = setTimeout(look, q.length >= BEGUN || !q ? TYPING : PAUSE)
  choose(null)
  if (settings && (q.match(WORD)?.pop() ?? '').length >= BEGUN) ahead(target(q))
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
  const isShown = shown === q && best
  const root = isShown ? url(settings.collections[best].root) : form.getAttribute('action')
  if (q && (fault || best)) location.assign(`${root}?q=${plain(isShown ? words : q)}`)
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
  if (!settings) begin().catch(() => {})
  else if (searched(input.value).q) look()
  else offerRecent()
}

// Without the values the box finds records alone.
async function readValues(collection) {
  const { values: path } = settings.collections[collection]
  if (!path) return
  const { groups } = await fetch(url(path)).then((answer) => answer.json()).catch(() => ({ groups: [] }))
  for (const [name, what, own] of groups) {
    for (const [value, label, count] of own) values.push({ collection, name, what, value, label, count, text: textOf(value, label) })
  }
}

async function begin() {
  import(new URL('../api/search.js', import.meta.url)).catch(() => {})
  const response = await fetch(form.dataset.told)
  if (!response.ok) return
  settings = adopt(await response.text())
  reading = Promise.all(Object.keys(settings.collections).map(readValues)).then(() => (isRead = true))
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'find-list' })) {
    input.setAttribute(name, value)
  }
  open([])
  ahead(...Object.values(settings.collections).map(({ api }) => `${api}?mode=page`))
  if (document.activeElement === input) start()
}

start()
