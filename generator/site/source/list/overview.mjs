// The charts above a list: open on a wide page, folded on a narrow one, or as they were left.
import { el, t, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'
import { constraint } from './state.mjs'

const isWide = matchMedia('(min-width: 60rem)').matches

export class Overview {
  // `link(name, value, more)` is a link to the records that have a value besides; `fill()` is called when counts are needed.
  constructor(before, link, fill) {
    this.link = link
    this.place = el('div.overview')
    const summary = el('summary', {}, t('charts'))
    this.details = el('details', { id: 'overview', open: recall('charts') ?? isWide }, summary, this.place)
    this.details.ontoggle = () => this.isOpen && fill()
    summary.onclick = () => keep('charts', !this.isOpen)
    before.before(this.details)
  }

  get isOpen() {
    return this.details.open
  }

  // Draws the charts of the counts of a state; null: there are none, and no place is kept for them.
  async draw(counts, { filters }) {
    this.counts = counts
    if (!counts || !this.isOpen) {
      this.details.hidden = !counts
      return
    }
    try {
      const { draw } = await import(told.figures)
      if (this.counts !== counts) return
      const figures = draw(counts, (name) => constraint(filters[name]), this.link)
      this.place.replaceChildren(...figures)
      this.details.hidden = !figures.length
    } catch {
      this.details.hidden = true
    }
  }
}
