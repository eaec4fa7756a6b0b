// How a list looks: its rows as they came, in a line each, as cards, or as a table.  list.css does it by `data-view`; only the
// heads of the table are made here.
import { el, t, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'

const VIEWS = ['list', 'compact', 'cards', 'table']

const label = (filter) => told.filters.find(({ name }) => name === filter)?.label

// The heads of the table by the class of their cells; those without a word are of a cell that says what it is.
const heads = () => ({
  name: t('name'),
  owners: label(told.row.owners[0]?.[1]) ?? '',
  places: label('location'),
  tags: t('tags'),
  badge: label(told.row.badge[0]),
  year: t('year'),
})

// Puts a button for each view in an element; `results` is what they are for.
export function views(place, results, rows) {
  const buttons = VIEWS.map((view) => el('button', { type: 'button', id: `view-${view}`, title: t(`view_${view}`) }, el('span', {}, t(`view_${view}`))))
  const line = el('div.heads', { 'aria-hidden': 'true' }, Object.entries(heads()).map(([kind, text]) => el(`span.${kind}`, {}, text ?? '')))
  const show = (asked) => {
    const view = VIEWS.includes(asked) ? asked : VIEWS[0]
    results.dataset.view = view
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', VIEWS[i] === view))
  }
  buttons.forEach((button, i) => {
    button.onclick = () => {
      keep('view', VIEWS[i])
      show(VIEWS[i])
    }
  })
  place.replaceChildren(...buttons)
  rows.before(line)
  show(recall('view'))
}
