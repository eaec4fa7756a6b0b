// Charts of the records that a list shows, made of their counts by filter; loaded by the script of lists where they are open.
import { el, number, t, told } from './common.mjs'

// Countries and kinds that are seen, years beyond which bars are only those with records, the fewest records whose median is shown.
const [SEEN, SPAN, FEWEST] = [5, 120, 3]

const share = (part, whole) => `${Math.max(1, (100 * part) / whole)}%`

function sized(name, style, attributes = {}) {
  const element = el(name, attributes)
  Object.assign(element.style, style)
  return element
}

const figure = (label, ...children) => el('figure.chart', {}, el('figcaption', {}, label), children)

// A bar for each year: `amounts` has a number by year, which `shown` writes; undefined stands for none.
function bars(amounts, shown, truncated) {
  const known = [...amounts.keys()].sort((a, b) => a - b)
  const [first, last] = [known[0], known.at(-1)]
  const every = last - first < SPAN ? Array.from({ length: last - first + 1 }, (_, i) => first + i) : known
  const most = Math.max(...amounts.values())
  const peak = known.find((year) => amounts.get(year) === most)
  const says = t('years_say', { first: String(first), last: String(last), peak: String(peak), most: shown(most) })
  const columns = every.map((year) => {
    const amount = amounts.get(year)
    return sized(`span${year === peak ? '.peak' : ''}`, { blockSize: amount > 0 ? share(amount, most) : 0 }, { title: `${year}: ${shown(amount)}` })
  })
  return [
    el('div.bars', { role: 'img', 'aria-label': says }, columns),
    el('p.ends.small.soft', { 'aria-hidden': 'true' }, el('span', {}, String(first)), el('span', {}, String(last))),
    truncated && el('p.small.soft', {}, t('some_years')),
  ]
}

// The number that `of` finds for each of some years, without those for which it finds null.
const byYear = (values, of) => new Map(values.filter((one) => of(one) !== null).map((one) => [Number(one.value), of(one)]))

// Rows with a bar each, which lead to the records of a value alone.
function ranked(label, values, link, tones = {}) {
  const most = Math.max(...values.map(({ count }) => count))
  const rows = values.slice(0, SEEN).map(({ value, count }) => {
    const track = el('span.track', { 'aria-hidden': 'true' }, sized('span', { inlineSize: share(count, most) }, { class: tones[value] }))
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
  const numbers = byYear(year ? counts.year.values : [], ({ count }) => count || null)
  if (numbers.size > 1) found.push(figure(year.label, ...bars(numbers, (count = 0) => number(count), counts.year.truncated)))
  for (const [one, isShown] of [[filter('status', 'type', 'category', told.row.badge[2]), () => true], [filter('location'), ({ value }) => value.length === 2]]) {
    const values = one ? counts[one.name].values.filter((value) => value.count && isShown(value)) : []
    if (values.length > 1) found.push(ranked(one.label, values, (...rest) => link(one.name, ...rest), one.name === told.row.badge[2] ? told.row.badge[1] : {}))
  }
  return found
}

// The figure of a number's median in each year, and among all records; its place is kept until `answer`, the statistics, is
// there.  It is removed if too few records have the number.
export function medians(label, answer, shown) {
  const place = figure(t('median', { label }), el('div.bars'), el('p.ends.small'))
  const draw = ({ stat: { n, min, median, max }, counts: { year } }) => {
    if (n < FEWEST) return place.remove()
    const all = t('median_of', { count: n, median: shown(median), min: shown(min), max: shown(max) })
    const amounts = byYear(year?.values ?? [], ({ stat }) => (stat.n < FEWEST ? null : stat.median))
    const chart = amounts.size > 1 ? bars(amounts, (value) => (value === undefined ? '–' : shown(value)), year.truncated) : []
    place.replaceChildren(place.firstChild, ...chart.filter(Boolean), el('p.small.soft', {}, all))
  }
  answer.then(draw).catch(() => place.remove())
  return place
}
