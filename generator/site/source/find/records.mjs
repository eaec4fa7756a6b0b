// The records of the results, the best first.
import { el, url } from '../common.mjs'
import { CLOSE, wordsOf } from '../shared/marker.mjs'
import { aside, option } from './list.mjs'
import { settings } from './settings.mjs'

const BEST = 5 // best matches that are shown
const regions = new Intl.DisplayNames([document.documentElement.lang], { type: 'region' })

// Which of a record's names is better: 0 is the query, 1 begins with it, 2 has its words, 3 has not.
function rankBy(q) {
  const wanted = wordsOf(q)
  const whole = wanted.join('')
  return (name) => {
    const own = wordsOf(name)
    const joined = own.join('')
    if (joined.startsWith(whole)) return joined === whole ? 0 : 1
    return wanted.every((word) => own.some((one) => (CLOSE.test(word) ? one.includes(word) : one.startsWith(word)))) ? 2 : 3
  }
}

// The records that were read, as { name, record, rank }, the best first: by name, events that are ahead before those that are
// over, whose names have at best the words unless they are the query, then as each collection has them, in turn.
export function ranked(q, known) {
  const rank = rankBy(q)
  const now = Date.now()
  const records = known.flatMap(([name, { data }]) =>
    data.map((record, place) => {
      const [isOver, best] = [Boolean(record.ends_at) && Date.parse(record.ends_at) < now, rank(record.name)]
      return { name, record, place, rank: isOver && best === 1 ? 2 : best, isOver }
    }),
  )
  return records.sort((a, b) => a.rank - b.rank || a.isOver - b.isOver || a.place - b.place)
}

// The best of these: those whose names match; if there are none, and no filter has the words for its value either, those that
// match at all.
export function bestOf(records, isValue) {
  const named = records.filter(({ rank }) => rank < 3)
  return (named.length || isValue ? named : records).slice(0, BEST)
}

// A day as the site writes it, of a date or a time.
function day(iso) {
  const [year, month, number] = iso.slice(0, 10).split('-')
  return settings.date.replace(/\{(\w+)\}/g, (_, part) => ({ day: Number(number), month: settings.months[month], year })[part])
}

// When or where a record is.
function whenOrWhere({ kind, year, locations, starts_local: starts, ends_local: ends }) {
  const at = kind === 'event' ? starts : (ends ?? starts)
  if (at) return day(at)
  if (year) return String(year)
  const [place] = locations ?? []
  return place && (place.city || place.region || regions.of(place.country))
}

export function recordOption({ name, record }, mark, isBest) {
  const { root, pages, kinds, one } = settings.collections[name]
  const what = kinds[record.kind] ?? (isBest && one)
  return option(
    url(pages ? `${root}${record.slug}/` : root),
    el('span.what', {}, el('bdi.name', {}, mark(record.name)), record.summary && el('bdi.summary', {}, mark(record.summary))),
    aside(what, whenOrWhere(record)),
  )
}
