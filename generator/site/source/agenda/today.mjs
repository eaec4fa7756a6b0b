// The way to the month or the year of today, and other views, which keep what is chosen.
import { $, $$, told, url } from '../common.mjs'
import { present } from '../calendar/clock.mjs'
import { query } from './asked.mjs'

const today = present().day
// The month or the year of today, else the next that has dates, else the last.
const nearest = (list, value) => list.find((one) => one >= value) ?? list.at(-1)
const current = nearest(told.months, today.slice(0, 7))
const years = [...new Set(told.months.map((month) => month.slice(0, 4)))]
const pages = { month: current && `month/${current}/`, year: current && `year/${nearest(years, today.slice(0, 4))}/` }
const to = (view) => url(`${told.root}/${pages[view]}`)

// From the list of a value other views keep the value, too, unless it is a month or a year.
export function keep(state) {
  for (const link of $$('[data-kept], [data-view]')) {
    link.search = query({ ...state, others: link.dataset.view && !told.chronological ? Object.entries(told.feeds.of) : [] })
  }
}

// From the agenda, the other views are those of today.
if (current && told.upcoming) for (const view of ['month', 'year']) $(`[data-view=${view}]`).pathname = to(view)

// In the list of this year `next()` is the row that is next, to which "Today" leads.
export function leadToToday(next) {
  const link = $('#today')
  if (!link || !current) return
  link.dataset.kept = ''
  link.pathname = to($('.perspectives [aria-current]').dataset.view)
  link.addEventListener('click', (event) => {
    const row = link.pathname === location.pathname && next()
    if (!row) return
    event.preventDefault()
    const heading = $('h2', row.closest('.part'))
    heading.tabIndex = -1
    heading.focus()
    row.scrollIntoView({ block: 'center' })
  })
}
