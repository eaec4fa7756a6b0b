// The filters of a page: their script is read when they are first seen, or their counts are needed.
import { $, told } from '../common.mjs'
import { countsInPage } from './labels.mjs'
import { page } from './page.mjs'

export class Filters {
  // `change`, `counted` and `source` are those of a panel (panel.mjs).
  constructor(place, change, counted, source) {
    Object.assign(this, { place, change, counted, source, base: countsInPage(place), panel: null })
    $('#filters-open').onchange = () => this.panel?.counts || this.show().catch(() => {})
  }

  get areSeen() {
    return this.panel !== null || this.place.offsetParent !== null
  }

  // What is chosen next is added to this state, also before its counts are there.
  follow(state) {
    this.state = state
    if (this.panel) this.panel.state = state
  }

  // The filters as they are under the state that was followed last; raises what the host or the API says.
  async show() {
    const { state } = this
    const { panelOf } = await import(told.panel)
    this.panel ??= new (panelOf(page))(this.place, this.base, this.change, this.counted, this.source)
    return this.panel.show(state)
  }
}
