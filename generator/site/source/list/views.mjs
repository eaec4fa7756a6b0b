// How a list looks: its rows as they came, in a line each, as cards, or as a table.  list.css does it by `data-view`; only the
// heads of the table are made here.
import { $, el, t, told } from '../common.mjs'
import { keep, recall } from './memory.mjs'

const VIEWS = ['list', 'compact', 'cards', 'table']

const label = (filter) => told.filters.find(({ name }) => name === filter)?.label
const listed = (labels) => [...new Set(labels)].filter(Boolean).join(', ')
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1)

const { row, fields, nouns } = told
const hasRelations = row.owners.some(([path]) => path.startsWith('fields.'))
const owners = row.owners.map(([, filter]) => label(filter))

// The columns of the table: the class of their cells, what stands above these, and their width.
const NAME = ['name', t('name'), 'minmax(0, 2.6fr)']
const COLUMNS = [
  ['owners', hasRelations ? listed(owners) : owners[0], 'minmax(0, 2fr)'],
  ['places', label('location'), 'minmax(0, 1.8fr)'],
  ['own', listed([...row.fields.map(([, field]) => field), ...Object.values(fields)].map((field) => field.label)), 'minmax(0, 2.4fr)'],
  ['tags', t('tags'), 'minmax(0, 1.8fr)'],
  ['badge', row.badge[3]?.label ?? label(row.badge[2]), 'minmax(5rem, 1fr)'],
  ['year', label('year'), '4rem'],
  ['counts', capital(listed(row.counts.map((name) => nouns[name].many))), '5.5rem'],
]

// Puts a button for each view in an element; `results` is what they are for.
export function views(place, results, rows) {
  const buttons = VIEWS.map((view) => el('button', { type: 'button', id: `view-${view}`, title: t(`view_${view}`), 'aria-label': t(`view_${view}`) }))
  const line = el('div.heads', { 'aria-hidden': 'true' })
  // The table has the columns that one of its rows has something for; a narrow one has places, the year and the badge below it.
  const arrange = () => {
    if (results.dataset.view !== 'table') return
    const there = COLUMNS.filter(([kind]) => $(`.entries .${kind === 'tags' ? 'chips' : kind}:not(:empty)`, rows))
    const has = (...kinds) => there.some(([kind]) => kinds.includes(kind))
    const template = (kinds, last, widths) => `"name ${kinds}" auto "text ${last}" 1fr / ${widths}`
    const areas = there.map(([kind]) => kind).join(' ')
    const narrow = [has('places') && ['places', 'places', 'minmax(0, 1.2fr)'], has('year', 'badge') && ['year', 'badge', '5rem']].filter(Boolean)
    const of = (i) => narrow.map((one) => one[i]).join(' ')
    results.style.setProperty('--table', template(areas, areas, [NAME, ...there].map(([, , width]) => width).join(' ')))
    results.style.setProperty('--narrow', template(of(0), of(1), `minmax(0, 2fr) ${of(2)}`))
    line.replaceChildren(...[NAME, ...there].map(([kind, text]) => el(`span.${kind}`, {}, text ?? '')))
  }
  const show = (asked) => {
    const view = VIEWS.includes(asked) ? asked : VIEWS[0]
    results.dataset.view = view
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', VIEWS[i] === view))
    arrange()
  }
  buttons.forEach((button, i) => {
    button.onclick = () => {
      keep('view', VIEWS[i])
      show(VIEWS[i])
    }
  })
  place.replaceChildren(...buttons)
  rows.before(line)
  new MutationObserver(arrange).observe(rows, { childList: true, subtree: true })
  show(recall('view'))
}
