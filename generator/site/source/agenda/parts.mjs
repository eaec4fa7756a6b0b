// The parts of a list of dates as they are now: what is pinned, what is under way, what is next by month, and what is past.
import { $, el, t, told } from '../common.mjs'
import { fill, months, passed, present, weekdays } from '../calendar/clock.mjs'
import { pins } from '../calendar/pins.mjs'

const NEVER = '~' // sorts after every day

export const isOver = (row, now) => passed(now, row.dataset.ends, true)
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

const dayOf = (row, edge) => row.dataset[edge] || NEVER
const order = (edge) => (a, b) => (dayOf(a, edge) < dayOf(b, edge) ? -1 : dayOf(a, edge) > dayOf(b, edge) ? 1 : 0)

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

export const slugOf = (row) => row.id.slice(2)

// The part of the list that a row belongs to now.
function partNow(row, now) {
  if (told.chronological) return 'later'
  if (isOver(row, now)) return 'over'
  return pins.has(slugOf(row)) ? 'pinned' : isUnderWay(row, now) ? 'now' : 'later'
}

// The parts that rows are in, as a text.
export const partsIn = (rows) => rows.map((row) => ({ 'm-now': 'now', 'm-over': 'over' })[$('h2', row.closest('.part')).id] ?? 'later').join()
export const partsNow = (rows, now = present()) => rows.map((row) => partNow(row, now)).join()

// Makes the parts of a list, as `partsNow` has them, and returns the rows in their order.
export function arrange(place, rows, belongs) {
  const names = belongs.split(',')
  const [pinned, underWay, later, over] = ['pinned', 'now', 'later', 'over'].map((part) => rows.filter((_, i) => names[i] === part))
  pinned.sort(order('last'))
  underWay.sort(order('last'))
  later.sort(order('first'))
  over.sort(order('last')).reverse()
  const parts = [...section('pinned', t('pinned'), '', pinned), ...section('now', t('under_way'), t('under_way_says'), underWay), ...byMonth(later), ...section('over', t('over'), '', over)]
  const active = document.activeElement
  place.replaceChildren(...parts.map((part) => group(...part)))
  for (const row of [...pinned, ...underWay, ...over]) tag(row, dayOf(row, 'last'), false)
  for (const row of later) tag(row, dayOf(row, 'first'), true)
  if (place.contains(active)) active.focus({ preventScroll: true })
  return [...pinned, ...underWay, ...later, ...over]
}
