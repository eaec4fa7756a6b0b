// Charts of the records that a list shows, made of their counts by filter; loaded by the script of lists where they are open.
import { el, number, t, told } from './common.mjs'

// Countries and kinds that are seen, years beyond which bars are only those with records.
const [SEEN, SPAN] = [5, 120]

const share = (part, whole) => `${Math.max(1, (100 * part) / whole)}%`

function sized(name, style, attributes = {}) {
  const element = el(name, attributes)
  Object.assign(element.style, style)
  return element
}

const figure = (label, ...children) => el('figure.chart', {}, el('figcaption', {}, label), children)

// A bar for each year.
function years(label, { values, truncated }) {
  const counts = new Map(values.filter(({ count }) => count).map(({ value, count }) => [Number(value), count]))
  const known = [...counts.keys()].sort((a, b) => a - b)
  const [first, last] = [known[0], known.at(-1)]
  const every = last - first < SPAN ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : known
  const most = Math.max(...counts.values())
  const peak = known.find((year) => counts.get(year) === most)
  const says = t('years_say', { first: String(first), last: String(last), peak: String(peak), most })
  const bars = every.map((year) => {
    const count = counts.get(year) ?? 0
    return sized(`span${year === peak ? '.peak' : ''}`, { blockSize: count ? share(count, most) : 0 }, { title: `${year}: ${number(count)}` })
  })
  return figure(
    label,
    el('div.bars', { role: 'img', 'aria-label': says }, bars),
    el('p.ends.small.soft', { 'aria-hidden': 'true' }, el('span', {}, String(first)), el('span', {}, String(last))),
    truncated && el('p.small.soft', {}, t('some_years')),
  )
}

// Rows with a bar each, which lead to the records of a value alone.
function ranked(label, values, link) {
  const most = Math.max(...values.map(({ count }) => count))
  const rows = values.slice(0, SEEN).map(({ value, count }) => {
    const track = el('span.track', { 'aria-hidden': 'true' }, sized('span', { inlineSize: share(count, most) }))
    return el('li', {}, link(value, el('span.count', {}, number(count))), track)
  })
  return figure(label, el('ul.plain', {}, rows))
}

// Whether records of a list have a value, by the constraint of its filter: counts are those without the constraint.  A record
// can have other places besides the chosen ones, whose counts are not known.
function holds(name, { how, values }, value) {
  if (!values.length) return true
  if (how === 'range') return (!values[0] || Number(value) >= Number(values[0])) && (!values[1] || Number(value) <= Number(values[1]))
  return name !== 'location' && values.includes(value) === (how !== 'not')
}

// The figures of some counts, as far as the constraints of the list leave values; `link(name, value, …)` leads to the records that
// have a value besides.  A filter with one value has no chart.
export function draw(counted, constraint, link) {
  const counts = Object.fromEntries(
    Object.entries(counted).map(([name, { values, ...more }]) => [name, { ...more, values: values.filter(({ value }) => holds(name, constraint(name), value)) }]),
  )
  const filter = (...names) => told.filters.find(({ name }) => names.includes(name) && counts[name])
  const found = []
  const year = filter('year')
  if (year && counts.year.values.filter(({ count }) => count).length > 1) found.push(years(year.label, counts.year))
  for (const [one, isShown] of [[filter('status', 'type', 'category'), () => true], [filter('location'), ({ value }) => value.length === 2]]) {
    const values = one ? counts[one.name].values.filter((value) => value.count && isShown(value)) : []
    if (values.length > 1) found.push(ranked(one.label, values, (...rest) => link(one.name, ...rest)))
  }
  return found
}
