// A list in a page elsewhere: its address has a collection and what a list is asked with, such as
// `/embed/list/?collection=projects&tag_topic=climate&sort=-year`; without a collection it is the first of the site.
import { $, ask, el, number, t, told, url } from '../../site/source/common.mjs'

const asked = new URLSearchParams(location.search)
const of = told.collections[asked.get('collection') ?? told.first]
asked.delete('collection')

const row = ({ slug, name, summary, year, starts_local, ends_local }) =>
  el(
    'li', {},
    el(
      'div.what', {},
      el('a.name', { href: url(of.records ? `${of.pages}${slug}/` : of.pages), dir: 'auto' }, name),
      summary && el('p', { dir: 'auto' }, summary),
    ),
    el('div.aside', {}, String(year ?? (starts_local ?? ends_local)?.slice(0, 10) ?? '')),
  )

// The page of the whole list: a prepared one where it goes by one value, else the list asks what was asked here.
function whole() {
  const [[name, value] = [], ...others] = [...asked]
  const one = !others.length && of.filters.includes(name) && /^[a-z0-9-]+$/.test(value)
  if (one && (name !== 'location' || value.length === 2)) return url(`${of.pages}${name.replaceAll('_', '-')}/${value}/`)
  return url(of.pages) + (asked.size ? `?${asked}` : '')
}

async function show() {
  if (!of) throw new Error(t('unknown', { names: Object.keys(told.collections).join(', ') }))
  const { data, page } = await ask(`${of.root}?mode=page${asked.size ? `&${asked}` : ''}`)
  const count = page.total_items
  $('#title').textContent = of.label
  const all = t('all', { count, things: count === 1 ? of.one : of.many })
  // A collection without records has no page.
  $('#says').replaceChildren(of.pages ? el('a', { href: whole() }, all) : all)
  $('#rows').replaceChildren(...data.slice(0, told.most).map(row))
}

show().catch((error) => {
  const { problem } = error
  $('#says').textContent = problem?.status < 500 ? problem.detail : of ? t('failed') : error.message
})
