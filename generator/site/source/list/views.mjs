// How a list looks: its rows as they came, as cards, in a line each, or as a table.  site.css does it by `data-view`; only the
// heads of the table are made here.
import { el, t, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'

const VIEWS = ['list', 'cards', 'compact', 'table']

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

// Puts the switch in an element; `results` is what it is for.
export function views(place, results, rows) {
  const select = el('select', { id: 'view' }, VIEWS.map((one) => el('option', { value: one }, t(`view_${one}`))))
  const line = el('div.heads', { 'aria-hidden': 'true' }, Object.entries(heads()).map(([kind, text]) => el(`span.${kind}`, {}, text ?? '')))
  const show = (view) => {
    results.dataset.view = select.value = VIEWS.includes(view) ? view : VIEWS[0]
  }
  select.onchange = () => {
    keep('view', select.value)
    show(select.value)
  }
  place.replaceChildren(el('label', { for: 'view', class: 'unseen' }, t('view')), select)
  rows.before(line)
  show(recall('view'))
}
