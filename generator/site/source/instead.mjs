// Links to similar searches, for a search that finds nothing; loaded by the script of lists, whose functions `page` has.

// The values of filters, as [filter, value].
const valuesOf = (filters, { constraint }) =>
  Object.entries(filters).flatMap(([name, text]) => (text.includes('..') ? [] : constraint(text).values.map((value) => [name, value])))

// A search in words: what it looks for, and each filter with its values.
function described({ q, filters }, { told, t, constraint, constraintText }) {
  const narrowed = told.filters.filter(({ name }) => name in filters).map(({ name, label }) => {
    const { how, values } = constraint(filters[name])
    return `${label}: ${constraintText(name, how, values)}`
  })
  return [...(q ? [q] : []), ...narrowed].join(', ') || t('all_of', told.nouns[told.collection])
}

// A link to each search, once its values have their labels; `link(search, children)` gives a link.
export async function instead(searches, link, page) {
  await page.complete(searches.flatMap(({ filters }) => valuesOf(filters, page)))
  return searches.map((search) => link(search, [page.el('bdi', {}, described(search, page)), ` (${page.number(search.total_items)})`]))
}
