// The search box: the best records of all collections while one types, values of filters, the other records by collection,
// the lists of all results, and recent searches.  The field is a combobox whose list has links as options
// (www.w3.org/WAI/ARIA/apg/patterns/combobox).
import { $, ask, el, prepare, reasonOf, t, url } from './common.mjs'
import { action, active, choose, list, open, option, options } from './find/list.mjs'
import { keep, recent, remember } from './find/recent.mjs'
import { bestOf, ranked, recordOption } from './find/records.mjs'
import { amount, plain, readSettings, settings } from './find/settings.mjs'
import { isRead, pairOption, pairsOf, readValues, reading, valueOption, valuesOf } from './find/values.mjs'
import { marker } from './shared/marker.mjs'
import { WORD, searched } from './shared/words.mjs'

// Milliseconds without a key before words are searched, and before fewer than `BEGUN` letters are, which are seldom a word.
const [TYPING, PAUSE, BEGUN] = [140, 400, 3]
const ROWS = 6 // records that are read

const form = $('#find')
const { q: input } = form.elements
const said = $('#find-said')
let turn = 0
let timer
let shown = '' // what was typed, as the list shows it
let enter // the option that Enter without a choice opens

const target = (q) => `/api/search?q=${plain(q)}`

function close() {
  turn++
  clearTimeout(timer)
  list.hidden = true
  shown = ''
  choose(null)
  input.setAttribute('aria-expanded', 'false')
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
    const typed = pairsOf(q)
    const found = await find(q, typed)
    const draw = (pairs) => mine === turn && show(q, found, note, pairs)
    if (!isRead) draw([])
    draw(await (found.words === q ? typed : pairsOf(found.words)))
  } catch (error) {
    if (mine !== turn) return
    const failure = t(reasonOf(error))
    said.textContent = failure
    open([], failure)
  }
}

// What is found for words, and for which: if nothing is, for the first suggestion.
async function find(q, pairs) {
  const found = await ask(target(q), [0, ROWS])
  const [meant, ...others] = found.suggestions
  if (!meant) return { ...found, words: q }
  await reading
  if (valuesOf(q).length || (await pairs).length) return { ...found, words: q }
  return { ...(await ask(target(meant), [0, ROWS])), suggestions: others, words: meant }
}

function show(q, found, note, pairs) {
  const { collections } = settings
  const { words, total_items: total } = found
  const chosen = active()?.href
  const mark = marker(words, 1)
  // A collection without records has no page: the box does not know it.
  const known = Object.entries(found.data).filter(([name]) => name in collections)
  known.sort(([, a], [, b]) => b.total_items - a.total_items)
  const records = ranked(words, known)
  const offered = valuesOf(words)
  const first = bestOf(records, pairs.length || offered.some(({ isEqual }) => isEqual))
  const best = first.map((one) => recordOption(one, mark, true))
  const filters = [...pairs.map((one) => pairOption(one, mark)), ...offered.map((one) => valueOption(one, mark))]
  const others = known.map(([name]) => {
    const own = records.filter((one) => one.name === name && !first.includes(one))
    return [collections[name].label, own.map((one) => recordOption(one, mark, false))]
  })
  const all = known.filter(([, of]) => of.total_items).map(([name, of]) => allOption(name, words, of.total_items))
  const named = records.filter(({ rank }) => !rank)
  const groups = [[t('best'), best], [t('filters'), filters]]
  if (pairs.length && !named.length) groups.reverse()
  const instead = words === q ? '' : t('instead', { words: q, meant: words })
  const none = total + filters.length ? '' : t('none', { words: q })
  open([...groups, ...others, [t('meant'), found.suggestions.map(again)], ['', all]], [note, instead, none].filter(Boolean).join(' '))
  shown = q
  // Enter opens what the words name, if that is one thing, else all results.
  const isNamed = !instead && (named.length === 1 || (!named.length && pairs[0]?.isEqual))
  enter = isNamed ? options()[0] : (all[0] ?? options()[0])
  enter?.append(el('span.enter', { 'aria-hidden': 'true' }, '↵'))
  const count = t('results', { count: total || filters.length })
  const opens = isNamed ? `. ${t('opens', { name: $('.name', enter).textContent })}` : ''
  choose(options().find(({ href }) => chosen && href === chosen))
  said.textContent = [note, instead, none || count + opens].filter(Boolean).join(' ')
}

const allOption = (name, words, total) => option(url(`${settings.collections[name].root}?q=${plain(words)}`), t('all', { amount: amount(name, total) }))

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

// Without its settings the box is a form.  Enter waits until the results of the words are shown.
form.addEventListener('submit', async (event) => {
  const { q, fault } = searched(input.value)
  remember(q)
  if (fault || (settings && q)) event.preventDefault()
  if (!q || !event.defaultPrevented) return
  if (settings) {
    if (shown !== q) await look()
    if (searched(input.value).q !== q || list.hidden) return
  }
  location.assign(shown === q && enter?.href ? enter.href : `${form.getAttribute('action')}?q=${plain(q)}`)
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

async function begin() {
  import(new URL('../api/search.js', import.meta.url)).catch(() => {})
  await readSettings(form.dataset.told)
  if (!settings) return
  readValues()
  for (const [name, value] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-autocomplete': 'list', 'aria-controls': 'find-list' })) {
    input.setAttribute(name, value)
  }
  open([])
  ahead(...Object.values(settings.collections).map(({ api }) => `${api}?mode=page`))
  if (document.activeElement === input) start()
}

start()
