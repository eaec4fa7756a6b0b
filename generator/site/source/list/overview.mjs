// The charts above a list: folded to a line until they are asked for, then as they were left.
import { $, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'
import { constraint } from './state.mjs'

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
