// Links to similar searches, for a search that finds nothing.
import { el, number, t, told } from '../common.mjs'
import { complete, constraintText } from './labels.mjs'
import { constraint } from './state.mjs'

// The values of filters, as [filter, value].
const valuesOf = (filters) =>
  Object.entries(filters).flatMap(([name, text]) => (text.includes('..') ? [] : constraint(text).values.map((value) => [name, value])))

// A search in words: what it looks for, and each filter with its values.
function described({ q, filters }) {
  const narrowed = told.filters.filter(({ name }) => name in filters).map(({ name, label }) => {
    const { how, values } = constraint(filters[name])
    return `${label}: ${constraintText(name, how, values)}`
  })
  return [...(q ? [q] : []), ...narrowed].join(', ') || t('all_of', told.nouns[told.collection])
}

// A row with a link to each search, once its values have their labels; `link(search, children)` gives a link.
export function instead(searches, link) {
  const row = el('p.row')
  const shown = (search) => link(search, [el('bdi', {}, described(search)), ` (${number(search.total_items)})`])
  complete(searches.flatMap(({ filters }) => valuesOf(filters))).then(() => row.replaceChildren(...searches.map(shown)))
  return row
}
