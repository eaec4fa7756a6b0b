// The ways to ask the API as tabs, one a language; without a script they are below each other.  What is chosen in one place is
// chosen on the whole page.
import '../../site/source/copy.mjs'
import { $, $$, el, t } from '../../site/source/common.mjs'

const STEPS = { ArrowRight: 1, ArrowLeft: -1 }
const places = $$('.ways').filter((place) => $$(':scope > .code', place).length > 1)

places.forEach((place, at) => {
  const panels = $$(':scope > .code', place)
  const tabs = panels.map((panel, i) => {
    const [name, id] = [$('.what', panel).textContent, `way-${at}-${i}`]
    Object.assign(panel, { id, role: 'tabpanel' })
    panel.setAttribute('aria-labelledby', `${id}-tab`)
    return el('button', { type: 'button', role: 'tab', id: `${id}-tab`, 'aria-controls': id, 'data-way': name }, name)
  })
  const list = el('div.tabs', { role: 'tablist', 'aria-label': t('languages') }, tabs)
  list.onclick = ({ target }) => target.dataset.way && choose(target.dataset.way, target)
  list.onkeydown = (event) => {
    const step = STEPS[event.key] ?? 0
    if (!step) return
    event.preventDefault()
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length]
    choose(next.dataset.way, next)
    next.focus()
  }
  place.classList.add('tabbed')
  place.prepend(list)
  show(place, tabs[0].dataset.way)
})

// A place that lacks a language shows its first.
function show(place, way) {
  const tabs = $$('[role=tab]', place)
  const chosen = tabs.find((tab) => tab.dataset.way === way) ?? tabs[0]
  for (const tab of tabs) {
    tab.setAttribute('aria-selected', tab === chosen)
    tab.tabIndex = tab === chosen ? 0 : -1
    $(`#${tab.getAttribute('aria-controls')}`).hidden = tab !== chosen
  }
}

// The tab that was used stays where it is on the screen, whatever the others above it do.
function choose(way, tab) {
  const before = tab.getBoundingClientRect().top
  for (const place of places) show(place, way)
  scrollBy(0, tab.getBoundingClientRect().top - before)
}
