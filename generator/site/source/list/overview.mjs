// The charts above a list: folded to a line until they are asked for, then as they were left.
import { $, ask, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'
import { written } from './rows.mjs'
import { constraint, joined, words } from './state.mjs'

// The statistics of a number under a state, by year if there are years.
function statistics(name, state) {
  const byYear = told.filters.some((filter) => filter.name === 'year') ? [['by', 'year'], ['within', 'true']] : []
  return ask(`${told.api}?mode=count&${joined([...words(state), ...byYear, ['stat', name]])}`)
}

// Whether counts have a chart: years, kinds or countries of which there are two (figures.mjs).
const CHARTED = ['year', 'status', 'type', 'category', told.row.badge[2], 'location']
const areTwo = (name, values) => values.filter(({ value, count }) => count && (name !== 'location' || value.length === 2)).length > 1
const canDraw = (counts) => CHARTED.some((name) => areTwo(name, counts[name]?.values ?? [])) || (told.isOwn && told.numbers.length > 0)

export class Overview {
  // `link(name, value, more)` is a link to the records that have a value besides; `fill()` is called when counts are needed.
  constructor(link, fill) {
    this.link = link
    this.details = $('#overview')
    this.place = $('.overview', this.details)
    this.details.open = recall('charts') ?? false
    this.details.ontoggle = () => this.isOpen && fill()
    $('summary', this.details).onclick = () => keep('charts', !this.isOpen)
  }

  get isOpen() {
    return this.details.open
  }

  // Draws the charts of the counts of a state; null: there are none, and no place is kept for them.
  async draw(counts, state) {
    this.counts = counts
    this.details.hidden = !counts || !canDraw(counts)
    if (!counts || !this.isOpen) return
    try {
      const { draw, medians } = await import(told.figures)
      if (this.counts !== counts) return
      const figures = draw(counts, (name) => constraint(state.filters[name]), this.link)
      const numbers = figures.length || told.isOwn ? told.numbers : []
      this.place.replaceChildren(...figures, ...numbers.map(([name, field]) => medians(field.label, statistics(name, state), (value) => written.number(value, field))))
      this.details.hidden = !figures.length && !numbers.length
    } catch {
      this.details.hidden = true
    }
  }
}
