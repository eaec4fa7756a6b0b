// The page of a year (templates/site/calendar-year.html.j2) as it is today: its months that are over are folded, and on the days
// of its wall are the dates that are shown.
import { $$, t } from '../common.mjs'
import { present } from '../calendar/clock.mjs'

const OPEN = 3 // months, as in generator/site/years.py
const SHADES = 3 // of deadlines, as there
const KINDS = ['deadline', 'application_window', 'event']
const days = $$('#wall td > a').map((link) => ({ link, cell: link.parentElement, day: link.hash.slice(3), as: link.parentElement.className, said: link.title }))

const today = present().day
const months = $$('.folded')
const ahead = months.filter(({ dataset: { month } }) => month >= today.slice(0, 7)).slice(0, OPEN)
for (const month of months) month.open = ahead.includes(month)
for (const cell of $$(`#wall [data-month="${today.slice(0, 7)}"] td`)) if (cell.textContent === String(+today.slice(8))) cell.setAttribute('aria-current', 'date')

// Day -> the number and the kind of some rows of dates: an event is on its days in the month of its end, all else on the last.
function byDay(rows) {
  const found = new Map()
  for (const { dataset: { kind, first, last } } of rows) {
    const month = last.slice(0, 8)
    const begins = kind !== 'event' ? +last.slice(8) : first > month ? +first.slice(8) : 1
    for (let number = begins; number <= +last.slice(8); number++) {
      const day = month + String(number).padStart(2, '0')
      const known = found.get(day) ?? { count: 0, kind }
      found.set(day, { count: known.count + 1, kind: KINDS.find((one) => one === kind || one === known.kind) })
    }
  }
  return found
}

// Marks the days of some rows; null stands for all dates of the year.
export function wall(rows) {
  if (!days.length) return
  const found = byDay(rows ?? [])
  const most = Math.max(...[...found.values()].map(({ count }) => count))
  for (const { link, cell, day, as, said } of days) {
    const now = found.get(day)
    cell.className = !rows ? as : now ? `${now.kind} l${Math.ceil((SHADES * now.count) / most)}` : 'none'
    link.title = rows ? t('amount', { count: now?.count ?? 0 }) : said
    link.ariaLabel = `${link.textContent}, ${link.title}`
  }
}
