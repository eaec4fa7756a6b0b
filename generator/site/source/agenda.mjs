// Lists of dates as they are today: what is under way, what is next by month, and what is past at the end, whenever the page was
// built.  A reader searches and filters them by the filters of lists.  The rows are those of the page and of the other pages of
// its list, which are read when they are needed; a list that is too long for that is asked from the API.
import './calendar.mjs'
import './box.mjs'
import './copy.mjs'
import { $, $$, refill, t, told } from './common.mjs'
import { query, read, scoped } from './agenda/asked.mjs'
import { subscribe } from './agenda/feed.mjs'
import { headingOf } from './agenda/heading.mjs'
import { counts, failing, like } from './agenda/matching.mjs'
import { arrange, isOver, partsIn, partsNow, slugOf } from './agenda/parts.mjs'
import { answered, otherPages } from './agenda/reading.mjs'
import { keep, leadToToday } from './agenda/today.mjs'
import { wall } from './agenda/wall.mjs'
import { present } from './calendar/clock.mjs'
import { forget, pins, star } from './calendar/pins.mjs'
import { chips } from './list/chosen.mjs'
import { drawer, fillDrawer } from './list/drawer.mjs'
import { Filters } from './list/filters.mjs'
import { complete } from './list/labels.mjs'
import { constraint, ignored } from './list/state.mjs'
import { searched } from './shared/words.mjs'

const PAUSE = 150 // ms without a key
const MOST = 500 // rows that are shown
const [place, input, said, none, chosen] = ['#agenda', '#q', '#found', '#no-dates', '#chosen'].map((selector) => $(selector))
const [heading, lead] = [$('.head h1'), $('.head .lead')]
const [ownTitle, ownHeading, leads] = [document.title, heading.textContent, lead?.textContent]
const put = (element, text) => element && element.textContent !== text && (element.textContent = text)

let state = read()
const isFiltered = () => query(state) !== ''

// --- rows ---

const first = $$('.dates > li', place ?? $('main'))
let rows = first
let shown = first // in their order
let total = 0 // of a list that is asked from the API: the number of dates that were found
// The months of a year as they are in the page, in whose place are the rows that are asked for.
const folded = told.rest && [...place.children]
let isWhole = told.pages === 1 && !folded // whether every row of the list is here
let arranged = place ? partsIn(first) : ''

// Makes the parts of the list again, if rows belong to others than those that they are in.
function update() {
  if (folded && !isFiltered()) {
    if (!folded[0].isConnected) place.replaceChildren(...folded)
    arranged = ''
    return
  }
  const belongs = place ? partsNow(rows) : arranged
  if (belongs === arranged) return
  arranged = belongs
  shown = arrange(place, rows, belongs)
}

// Other rows than those that were here.
function replace(others) {
  rows = shown = others
  arranged = isAll = ''
  pinnable()
}

// Gives rows the button that pins them, and forgets dates that are over: those of past rows, and in the whole list of upcoming
// dates those that it has not.
function pinnable() {
  const now = present()
  for (const row of rows) {
    if (!$('.star', row)) $('.aside', row).append(star($('.name', row).textContent, slugOf(row), repin))
  }
  const ahead = new Set(rows.filter((row) => !isOver(row, now)).map(slugOf))
  const over = told.upcoming && isWhole && !told.asked ? [...pins] : rows.map(slugOf)
  forget(over.filter((slug) => !ahead.has(slug)))
}

function repin() {
  update()
  narrow()
}

let isAll = true // whether no row is hidden

// Shows the rows that have what is asked, of more than a page may have the first, and says and returns how many there are.
function narrow() {
  const filtered = isFiltered()
  const fails = told.asked ? () => [] : failing(state)
  const found = filtered ? shown.filter((row) => fails(row)?.length === 0) : shown
  if (!(isAll && found.length === shown.length && found.length <= MOST)) {
    const visible = new Set(found.slice(0, MOST))
    for (const row of shown) row.hidden = !visible.has(row)
    for (const part of $$('.part', place ?? document.createElement('p'))) part.hidden = !$('.dates > li:not([hidden])', part)
    for (const bar of $$('.bar')) bar.hidden = document.getElementById(bar.dataset.row).hidden
    isAll = visible.size === shown.length
  }
  if (none) none.hidden = found.length > 0
  if (!told.asked) wall(filtered ? found : null)
  return tell(filtered, found)
}

// How many dates there are, as of now; before all pages are here, those that are over are only known on this one.
function tell(filtered, found) {
  const now = present()
  const over = found.filter((row) => isOver(row, now)).length
  const [count, ahead] = [found.length, found.length - over]
  const all = filtered || isWhole ? count : told.total
  if (told.asked) put(lead, filtered ? t('amount', { count: total }) : leads)
  else put(lead, told.upcoming ? t('lead', { count: all - over }) : t('amount', { count: all }))
  const cut = folded && !filtered ? '' : count > MOST ? t('cut', { count: MOST }) : told.asked && filtered && total > count ? t('cut', { count }) : ''
  const amount = told.asked ? t('amount', { count: total }) : t('found', { count, ahead })
  const { q, fault } = searched(state.q)
  const sums = [filtered ? amount : '', cut].filter(Boolean).join('. ')
  put(said, [fault && t(fault, { words: q }), sums, ignored()].filter(Boolean).join(' '))
  for (const pager of $$('.pager')) pager.hidden = told.asked ? filtered : isWhole && (filtered || !cut)
  return told.asked && filtered ? total : all
}

let loading

function wholeList() {
  loading ??= readAll().catch((error) => {
    loading = null
    throw error
  })
  return loading
}

async function readAll() {
  if (isWhole) return
  const others = await otherPages()
  // A year keeps the first rows of its months for when nothing is asked.
  const kept = !folded ? rows : others.length ? [] : first.map((row) => row.cloneNode(true))
  if (folded) for (const row of kept) $('.star', row)?.remove() // which a copy of does nothing
  isWhole = true
  replace([...kept, ...others])
  update()
  narrow()
  document.dispatchEvent(new Event('dates'))
}

// --- filters ---

const inPage = {
  base: async () => counts(read(), rows),
  counts: async (asked) => {
    await wholeList()
    return counts(asked, rows)
  },
  like: async (asked, name, text) => like(asked, rows, name, text),
}

// With the words as they are typed: what was drawn may not know them yet.
const change = (next) => go({ ...next, q: input.value })
const filters = told.filters.length ? new Filters($('#groups'), change, () => {}, told.asked ? undefined : inPage) : null

// The filters and what is chosen of them, which leaves so many dates, the heading, and the feed.
function narrowing(count) {
  if (!filters) return draw()
  fillDrawer(state, count)
  filters.follow(told.asked && isFiltered() ? scoped(state) : state)
  if (filters.areSeen) filters.show().catch(() => {})
  draw()
  const named = Object.entries(state.filters).flatMap(([name, text]) => constraint(text).values.map((value) => [name, value]))
  complete(named).then(draw)
}

function draw() {
  const isNarrowed = Object.keys(state.filters).length > 0
  const words = isNarrowed ? headingOf(state.filters) : ownHeading
  put(heading, words)
  const title = isNarrowed ? `${words} – ${told.titles.registry}` : ownTitle
  document.title = [state.q.trim(), title].filter(Boolean).join(' – ')
  subscribe(state, words, ownHeading)
  if (filters) refill(chosen, chips(state, (next) => change(next).then(() => ($('button', chosen) ?? input).focus())))
}

// --- what is done ---

let turn = 0

async function show() {
  const current = ++turn
  if (input && input !== document.activeElement) input.value = state.q
  keep(state)
  if (isFiltered() && !isWhole) put(said, t('loading'))
  try {
    if (told.asked) {
      const [count, found] = isFiltered() ? await answered(state) : [0, first]
      if (current !== turn) return
      total = count
      replace(found)
    } else if (isFiltered()) await wholeList()
    if (current !== turn) return
  } catch {
    if (current === turn) put(said, t('failed'))
    return
  }
  update()
  narrowing(narrow())
  if (told.asked) document.dispatchEvent(new Event('dates'))
}

async function go(next, how = 'push') {
  state = { ...next, others: [] }
  history[`${how}State`](history.state, '', location.pathname + query(state))
  await show()
}

addEventListener('popstate', () => {
  if (query(read()) === query(state)) return
  state = read()
  if (input) input.value = state.q
  show()
})

let timer
let isTyping = false // the words of one search are one step back
function typed() {
  clearTimeout(timer)
  if (input.value.trim() === state.q.trim()) return
  go({ ...state, q: input.value }, isTyping ? 'replace' : 'push')
  isTyping = true
}

if (input) {
  input.value ||= state.q
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(typed, PAUSE)
  })
  input.addEventListener('change', () => {
    typed()
    isTyping = false
  })
  drawer(() => $('#results').scrollIntoView())
}

pinnable()
update()
if (isFiltered()) show()
else {
  narrowing(narrow())
  // A list of several pages begins with the oldest of its dates, has lost some since it was built, or has pinned ones.
  const now = present()
  const slugs = new Set(rows.map(slugOf))
  const isMore = !told.upcoming || rows.some((row) => isOver(row, now)) || [...pins].some((slug) => !slugs.has(slug))
  if (place && !told.asked && !told.chronological && isMore) wholeList().catch(() => {})
}
const inMonth = () => !isFiltered() && folded && $('.folded[open] .dates > li', place)
leadToToday(() => place && (inMonth() || shown.find((row) => !row.hidden && !isOver(row, present()))))
keep(state)

// A page that stays open: rows that ended since go to the end.
setInterval(() => {
  if (document.hidden || told.asked) return
  update()
  narrow()
}, 60_000)
