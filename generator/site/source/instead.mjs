// What is shown for a search that finds nothing or is refused; loaded by the script of lists, whose functions `page` has.

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

// Where a search that finds nothing may go on: searches for other words, searches with fewer conditions, all records.  Those with
// other words are among the suggestions.
export async function waysOut({ suggestions = [], alternatives = [] }, state, page) {
  const { el, t, told, to } = page
  const link = (next, children) => to({ ...state, ...next, page: 1 }, children, { class: 'button quiet' })
  const offered = (key, links) => [el('p', {}, t(key)), el('p.row', {}, links)]
  const others = alternatives.filter(({ q }) => (q ?? '') === state.q.trim())
  await page.complete(others.flatMap(({ filters }) => valuesOf(filters, page)))
  const meant = suggestions.map((q) => link({ q }, [el('bdi', {}, q)]))
  const fewer = others.map((one) => link({ filters: one.filters }, [el('bdi', {}, described(one, page)), ` (${page.number(one.total_items)})`]))
  return [
    ...(meant.length ? offered('meant', meant) : []),
    ...(fewer.length ? offered('instead', fewer) : []),
    ...(!meant.length && !fewer.length && Object.keys(state.filters).length ? [el('p', {}, t('fewer'))] : []),
    el('p.row', {}, link({ q: '', filters: {}, sort: '' }, [t('all_of', told.nouns[told.collection])])),
  ]
}

const plain = (text) => text.toLowerCase().replace(/[\s_-]+/g, ' ').trim()

// The state with the values that the API allows in place of those that are only spelled otherwise, by their slug or their label;
// null if there is none.
export async function corrected({ code, detail, allowed }, state, { complete, constraint, labelOf, having }) {
  const name = Object.keys(state.filters).find((one) => detail.includes(`"${one}"`))
  if (code !== 'invalid-parameter' || !allowed || !name) return null
  await complete(allowed.map((value) => [name, value]))
  const { how, values } = constraint(state.filters[name])
  if (how === 'range') return null
  const same = (typed) => allowed.find((value) => [value, labelOf(name, value)].some((known) => plain(known) === plain(typed)))
  const meant = values.map((value) => same(value) ?? value).join()
  return meant === values.join() ? null : having(state, name, how ? `${how}:${meant}` : meant)
}

// A refused search: which filter has no such value, and links that help.
export async function refusal({ code, detail, allowed }, state, { el, t, told, complete, labelOf, having, query, to }) {
  const name = Object.keys(state.filters).find((one) => detail.includes(one))
  if (name) await complete((allowed ?? []).map((value) => [name, value]))
  const label = told.filters.find((one) => one.name === name)?.label
  const unlike = () => (name ? t('unlike', { label, value: state.filters[name] }) : t('refused'))
  const nothing = code === 'not-found' && name && t('nothing', { many: told.nouns[told.collection].many })
  const near = (word) => (name && /^[\w.-]+$/.test(word) ? [labelOf(name, word), having(state, name, word)] : null)
  const links = (allowed ?? []).map(near).filter(Boolean).map(([text, next]) => to(next, [text], { class: 'button quiet' }))
  const first = { ...state, page: 1, sort: '' }
  const all = to({ ...state, q: '', filters: {}, sort: '', page: 1 }, [t('all_of', told.nouns[told.collection])])
  return [
    el('p.title', {}, nothing || unlike()),
    ...(links.length ? [el('p', {}, t('near')), el('p.row', {}, links)] : []),
    el('p.row', {}, query(first) !== query(state) && to(first, [t('first')]), all),
  ]
}
