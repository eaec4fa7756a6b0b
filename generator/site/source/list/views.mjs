// How a list looks: its rows as they came, in a line each, as cards, or as a table.  list.css does it by `data-view`; only the
// heads of the table are made here.
import { el, t, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'

const VIEWS = ['list', 'compact', 'cards', 'table']

const label = (filter) => told.filters.find(({ name }) => name === filter)?.label

const hasRelations = () => told.row.owners.some(([path]) => path.startsWith('fields.'))

// The heads of the table by the class of their cells; those without a word are of a cell that says what it is.
const heads = () => ({
  name: t('name'),
  owners: hasRelations() ? told.row.owners.map(([, filter]) => label(filter)).join(', ') : (label(told.row.owners[0]?.[1]) ?? ''),
  places: label('location'),
  own: '',
  tags: t('tags'),
  badge: told.row.badge[3]?.label ?? label(told.row.badge[2]),
  year: t('year'),
  counts: '',
})

// The columns of the table of an own kind that it has values for, with their widths; of other kinds list.css has them.
function columns() {
  const { filters, fields, row } = told
  const there = {
    owners: row.owners.length && 'minmax(0, 2fr)',
    places: label('location') && 'minmax(0, 1.8fr)',
    own: (row.fields.length || Object.keys(fields).length) && 'minmax(0, 2.4fr)',
    tags: filters.some(({ name }) => name.startsWith('tag_')) && 'minmax(0, 1.6fr)',
    badge: row.badge[0] && 'minmax(5rem, 1fr)',
    year: label('year') && '3rem',
    counts: row.counts.length && '5.5rem',
  }
  return Object.entries(there).filter(([, width]) => width)
}

// Puts a button for each view in an element; `results` is what they are for.
export function views(place, results, rows) {
  const buttons = VIEWS.map((view) => el('button', { type: 'button', id: `view-${view}`, title: t(`view_${view}`) }, el('span', {}, t(`view_${view}`))))
  const shown = told.isOwn ? columns() : null
  const named = shown && ['name', ...shown.map(([kind]) => kind)]
  const line = el('div.heads', { 'aria-hidden': 'true' }, Object.entries(heads()).filter(([kind]) => (named ? named.includes(kind) : kind !== 'own' && kind !== 'counts')).map(([kind, text]) => el(`span.${kind}`, {}, text ?? '')))
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
  if (shown) {
    const areas = named.slice(1).join(' ')
    results.dataset.own = ''
    results.style.setProperty('--table', `"name ${areas}" auto "text ${areas}" 1fr / minmax(0, 2.4fr) ${shown.map(([, width]) => width).join(' ')}`)
  }
  place.replaceChildren(...buttons)
  rows.before(line)
  show(recall('view'))
}
