// Lists of dates as they are today: what is under way, what is next by month, and what is over at the end, whenever the page was
// built.  A reader searches and filters them, reads them in either time, and jumps to a month.  The rows are those of the page and
// of the other pages of its list, which are read when they are needed; a list that is too long for that is asked from the API.
import './copy.mjs'
import { $, $$, ask, el, t, told, url } from './common.mjs'
import { searched } from './shared/words.mjs'
import { date, fill, months, own, passed, shown, weekdays, whole, written } from './calendar/clock.mjs'

const PAUSE = 150 // ms without a key
const AT_ONCE = 4 // pages
const MOST = 500 // rows that are shown
const NEVER = '~' // sorts after every day
const [place, tools, said, none] = ['#agenda', '#finder', '#found', '#no-dates'].map((selector) => $(selector))
const FILTERS = $$('select', tools ?? document.createElement('form')).map(({ name }) => name)
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const words = (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const first = $$('.dates > li', place ?? $('main'))
let rows = first
let total = 0 // of a list that is asked from the API: the number of dates that were found
let mine = false // whether times are the reader's
let isWhole = !told.pages || told.pages === 1 // whether every row of the list is here

// --- one row ---

// The local days of a row, in the time that is shown: `2026-11-30`.
function dayOf(row, edge) {
  const { first, last, starts, ends } = row.dataset
  const instant = edge === 'last' ? ends : (starts ?? ends)
  if (!instant) return NEVER
  if (!mine || whole(instant)) return edge === 'last' ? last : first
  const at = new Date(instant)
  return new Date(at - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

const isOver = (row, now) => passed(now, row.dataset.ends, true)
const isUnderWay = ({ dataset: { starts, ends } }, now) => (starts ? starts !== ends && passed(now, starts, false) : !ends)

// The day at the left: where no heading has its month, with the month in place of the weekday.
function tag(row, day, hasMonth) {
  const isEndless = day === NEVER
  $('.tag', row).replaceChildren(el('b', {}, isEndless ? '∞' : ''), ...(isEndless ? [] : [' ', el('span')]))
  if (isEndless) return
  const [, month, number] = day.split('-')
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  $('.tag b', row).textContent = String(+number)
  $('.tag span', row).textContent = hasMonth ? weekdays[weekday] : months[month].slice(0, 3)
}

// The reader's time in place of the source's, or the other way round.
function clock(row) {
  const { starts, ends } = row.dataset
  if (!(starts ?? ends) || whole(starts ?? ends)) return
  const at = $('.at', row)
  let here = $('.mine', row)
  if (mine && !here) {
    const [first, last] = [new Date(starts ?? ends), new Date(ends ?? starts)]
    const isDay = first.toDateString() === last.toDateString()
    const until = isDay ? shown(last, own).time : written(last, own)
    here = el('span.mine', {}, +first === +last ? written(last, own) : `${written(first, own)} – ${until}`)
    at.after(here)
  }
  at.hidden = mine
  if (here) here.hidden = !mine
}

// --- the list ---

const chosen = () => Object.fromEntries(['q', ...FILTERS].map((name) => [name, tools.elements[name]?.value.trim() ?? '']))

function matching({ q, ...filters }) {
  if (told.api) return rows
  const wanted = words(q)
  return rows.filter((row) => {
    if (FILTERS.some((name) => filters[name] && !(row.dataset[name] ?? '').split(' ').includes(filters[name]))) return false
    const has = wanted.length ? words($('.what', row).textContent) : []
    return wanted.every((word) => has.some((one) => one.startsWith(word)))
  })
}

function group(id, title, note, list) {
  return el(
    'section.part', { 'aria-labelledby': id },
    el('div.label', {}, el('h2', { id }, title), note && el('p.note-line', {}, note)),
    el('div.body', {}, el('ul.dates', {}, list)),
  )
}

const section = (id, title, note, list) => (list.length ? [[`m-${id}`, title, note, list]] : [])

function byMonth(list) {
  const found = new Map()
  for (const row of list) {
    const month = dayOf(row, 'first').slice(0, 7)
    found.set(month, [...(found.get(month) ?? []), row])
  }
  return [...found].map(([month, of]) => [`m-${month}`, fill(told.month, { month: months[month.slice(5)], year: month.slice(0, 4) }), '', of])
}

const order = (edge) => (a, b) => (dayOf(a, edge) < dayOf(b, edge) ? -1 : 1)

let arranged = ''

function arrange() {
  subscribe()
  const now = new Date()
  const asked = chosen()
  const shownRows = matching(asked)
  const over = told.chronological ? [] : shownRows.filter((row) => isOver(row, now))
  const ahead = shownRows.filter((row) => !over.includes(row))
  const underWay = told.chronological ? [] : ahead.filter((row) => isUnderWay(row, now)).sort(order('last'))
  const later = ahead.filter((row) => !underWay.includes(row)).sort(order('first'))
  over.sort(order('last')).reverse()
  // Of more rows than a page may have, the first.
  let room = MOST
  for (const list of [underWay, later, over]) {
    list.length = Math.min(list.length, room)
    room -= list.length
  }
  const parts = [...section('now', t('under_way'), t('under_way_says'), underWay), ...byMonth(later), ...section('over', t('over'), '', over)]
  const signature = JSON.stringify([mine, ...[underWay, later, over].map((list) => list.map((row) => rows.indexOf(row)))])
  if (signature !== arranged) {
    arranged = signature
    const active = document.activeElement
    place.replaceChildren(...parts.map((part) => group(...part)))
    for (const row of [...underWay, ...over]) tag(row, dayOf(row, 'last'), false)
    for (const row of later) tag(row, dayOf(row, 'first'), true)
    for (const row of rows) clock(row)
    if (place.contains(active)) active.focus({ preventScroll: true })
  }
  none.hidden = shownRows.length > 0
  return tell(asked, shownRows.length, ahead.length)
}

// How many there are, as of now; before all pages are here, those that are over are only known on this one.
function tell(asked, count, ahead) {
  const isFiltered = Object.values(asked).some(Boolean)
  const now = new Date()
  const over = rows.filter((row) => isOver(row, now)).length
  const lead = told.upcoming && $('.head .lead')
  if (lead && !told.api) put(lead, t('lead', { count: (isWhole ? rows.length : told.total) - over }))
  const cut = count > MOST ? t('cut', { count: MOST }) : ''
  const most = isFiltered && total > rows.length ? t('cut', { count: rows.length }) : cut
  const amount = told.api ? t('amount', { count: total }) : t('found', { count, ahead })
  put(said, [isFiltered ? amount : '', most].filter(Boolean).join('. '))
  for (const pager of $$('.pager')) pager.hidden = told.api ? isFiltered : isWhole && (isFiltered || !cut)
  $('#reset').hidden = !isFiltered
  return over
}

const put = (element, text) => element.textContent !== text && (element.textContent = text)

// --- the feed of what is shown ---

const links = $$('[data-feed]')
const alarm = $('#alarm')
const more = el('p.soft.small', { role: 'status' })
$('.subscribe .row')?.after(more)

// The path of the feed of the list with the chosen filters and alarm; undefined if no host answers it.  It keeps dates that
// are over, so that they stay in the calendar of a subscriber.
function feedOf(asked) {
  const { of, every, value, prepared, selection } = told.feeds
  const pairs = Object.entries({ ...of, ...asked }).filter(([, text]) => text)
  const time = alarm?.value
  if (!time && !pairs.length) return every
  const [[name, only] = []] = pairs
  if (!time && pairs.length === 1 && prepared.includes(name)) return value.replace(':name', name).replace(':value', only)
  if (!selection) return undefined
  const all = [...(pairs.length ? pairs : [['upcoming', 'true']]), ...(time ? [['alarm', time]] : [])]
  return `${selection}?${all.map((pair) => pair.join('=')).join('&')}`
}

// The links to the feed of what is shown; if there is none, to that of the whole list, which says so.
function subscribe() {
  if (!links.length) return
  const { q, ...asked } = tools ? chosen() : {}
  const exact = feedOf(asked)
  put(more, q || !exact ? t('feed_more') : '')
  const path = exact ?? feedOf({})
  const file = (told.feeds.base || location.origin) + path
  const webcal = file.replace(/^https?/, 'webcal')
  const google = `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(file)}`
  const hrefs = { file, webcal, google, outlook }
  for (const link of links) link.href = hrefs[link.dataset.feed]
  put($('.subscribe code'), file)
}

if (alarm) {
  alarm.closest('p').hidden = false
  alarm.addEventListener('change', subscribe)
}

// --- the other pages of the list ---

let loading

function wholeList() {
  loading ??= readAll()
  return loading
}

async function readAll() {
  if (isWhole) return
  const numbers = Array.from({ length: told.pages - 1 }, (_, i) => i + 2)
  const pages = []
  while (numbers.length) pages.push(...(await Promise.all(numbers.splice(0, AT_ONCE).map(readPage))))
  rows = [...rows, ...pages.flat()]
  isWhole = true
  arrange()
  document.dispatchEvent(new Event('dates'))
}

async function readPage(number) {
  const response = await fetch(`${told.base}page/${number}/`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return $$('.dates > li', page).map((row) => document.importNode(row, true))
}

// --- a list that is asked from the API ---

const spelled = (local) => fill(date, { day: Number(local.slice(8, 10)), month: months[local.slice(5, 7)], year: local.slice(0, 4) })

// A row of a summary.
function rowOf({ slug, name, kind, status, all_day, starts_at, ends_at, starts_local, ends_local, website }) {
  const [begins, ends] = [starts_local ?? ends_local, ends_local]
  const isWholeDays = kind === 'event' && all_day
  const at = [begins, ends].flatMap((local) => (local ? [spelled(local) + (local.length > 10 ? `, ${local.slice(11, 16)}` : '')] : []))
  const counted = { 'data-kind': kind, 'data-starts': isWholeDays ? starts_local : starts_at, 'data-ends': isWholeDays ? ends_local : ends_at }
  const href = told.records ? url(`${told.root}/${slug}/`) : website
  return el(
    status === 'cancelled' ? 'li.off' : 'li',
    { ...counted, 'data-first': (begins ?? '').slice(0, 10), 'data-last': (ends ?? '').slice(0, 10) },
    el('div.tag', { 'aria-hidden': 'true' }),
    el(
      'div.what', {},
      el('a.name', { href, dir: 'auto' }, name),
      el('p.facts-line', {}, el(`span.kind.${kind}`, {}, told.kinds[kind] ?? kind), ' ', el('span.at', {}, [...new Set(at)].join(' – '))),
    ),
    el('div.aside', {}, status !== 'cancelled' && el('span.countdown', { hidden: true, 'data-countdown': true, ...counted })),
  )
}

// The rows that have what was asked; those of the page where nothing was.
async function answered(asked) {
  arranged = ''
  if (!asked.length) return (rows = first)
  const wanted = asked.map(([name, value]) => [name, name === 'q' ? searched(value).q : value]).filter(([, value]) => value)
  const pairs = [...Object.entries(told.feeds.of), ...(told.upcoming ? [['upcoming', 'true']] : []), ...wanted]
  const answer = await ask(`${told.api}?mode=page&${new URLSearchParams(pairs)}`)
  total = answer.page.total_items
  rows = answer.data.map(rowOf)
}

// --- what is done ---

let timer
let turn = 0

async function look() {
  const current = ++turn
  const asked = Object.entries(chosen()).filter(([, value]) => value)
  history.replaceState(history.state, '', asked.length ? `?${new URLSearchParams(asked)}` : location.pathname)
  if (asked.length) {
    said.textContent = isWhole ? '' : t('loading')
  }
  try {
    if (told.api) await answered(asked)
    else if (asked.length) await wholeList()
  } catch {
    loading = null
    if (current === turn) said.textContent = t('failed')
    return
  }
  if (current !== turn) return
  arrange()
  if (told.api) document.dispatchEvent(new Event('dates'))
}

function set(values) {
  for (const name of ['q', ...FILTERS]) if (tools.elements[name]) tools.elements[name].value = values.get(name) ?? ''
}

if (tools) {
  tools.addEventListener('submit', (event) => event.preventDefault())
  tools.addEventListener('input', ({ target }) => {
    clearTimeout(timer)
    timer = setTimeout(look, target.name === 'q' ? PAUSE : 0)
  })
  $('#reset').addEventListener('click', () => {
    set(new URLSearchParams())
    look()
    tools.elements.q.focus()
  })
  set(new URLSearchParams(location.search))
  const over = arrange()
  if (Object.values(chosen()).some(Boolean)) look()
  // Lists of a value begin with the oldest, so what is next may be on their last page; so does a list that was built a while ago.
  else if (!told.api && (over || !told.upcoming)) wholeList().catch(() => (loading = null))
}

// --- either time ---

const times = $('#times-mine')
if (times && $$('time[data-zone]').length) {
  times.closest('.clock').hidden = false
  times.addEventListener('change', () => {
    mine = times.checked
    if (place) arrange()
    else for (const row of rows) clock(row)
  })
}

// --- today, and months ---

const jump = $('#jump')
jump?.addEventListener('submit', (event) => {
  event.preventDefault()
  location.href = url(`${told.root}/${jump.elements.to.value}/`)
})

// The next month that has dates, else the last.
const upcoming = () => told.months.find((one) => one >= new Date().toISOString().slice(0, 7)) ?? told.months.at(-1)
if (jump && !$('[selected]', jump)) jump.elements.to.value = `month/${upcoming()}`

// On a list: what is next, which comes first.
$('#today')?.addEventListener('click', (event) => {
  const heading = place && $('.part:not(:has(#m-over)) h2', place)
  if (heading && !told.chronological) {
    event.preventDefault()
    heading.tabIndex = -1
    heading.focus()
    heading.scrollIntoView()
  } else if (told.months.length) {
    event.preventDefault()
    location.href = url(`${told.root}/month/${upcoming()}/`)
  }
})

// A page that stays open: rows that ended since go to the end.
if (place) setInterval(() => document.hidden || arrange(), 60_000)
