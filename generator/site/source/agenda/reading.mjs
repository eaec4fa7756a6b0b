// The rows of a list of dates that are not in the page: those of its other pages, and those that the API answers.
import { $$, ask, el, t, told, url } from '../common.mjs'
import { date, fill, months, passed, present } from '../calendar/clock.mjs'
import { joined, words as pairsOf } from '../list/state.mjs'
import { scoped } from './asked.mjs'

const AT_ONCE = 4 // pages

// The rows of the other pages of a list; of a year the pages of its months have them all.
export async function otherPages() {
  const addresses = told.rest ? [...told.rest] : Array.from({ length: told.pages - 1 }, (_, i) => `${told.base}page/${i + 2}/`)
  const pages = []
  while (addresses.length) pages.push(...(await Promise.all(addresses.splice(0, AT_ONCE).map(readPage))))
  return pages.flat()
}

async function readPage(address) {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return $$('.dates > li', page).map((row) => document.importNode(row, true))
}

const spelled = (local) => fill(date, { day: Number(local.slice(8, 10)), month: months[local.slice(5, 7)], year: local.slice(0, 4) })

// A row of a summary.
function rowOf({ slug, name, kind, status, all_day, starts_at, ends_at, starts_local, ends_local, website }) {
  const [begins, ends] = [starts_local ?? ends_local, ends_local]
  const isWholeDays = kind === 'event' && all_day
  const at = [begins, ends].flatMap((local) => (local ? [spelled(local) + (local.length > 10 ? `, ${local.slice(11, 16)}` : '')] : []))
  const counted = { 'data-kind': kind, 'data-starts': isWholeDays ? starts_local : starts_at, 'data-ends': isWholeDays ? ends_local : ends_at }
  const page = told.asked.records && url(`${told.root}/${slug}/`)
  const isAhead = status !== 'cancelled' && ends_at && !passed(present(), ends_at, true)
  return el(
    status === 'cancelled' ? 'li.off' : 'li',
    { ...counted, id: `e-${slug}`, 'data-first': (begins ?? '').slice(0, 10), 'data-last': (ends ?? '').slice(0, 10) },
    el('div.tag', { 'aria-hidden': 'true' }),
    el(
      'div.what', {},
      el('a.name', { href: page || website, dir: 'auto' }, name),
      el('p.facts-line', {}, el(`span.kind.${kind}`, {}, told.asked.kinds[kind] ?? kind), ' ', el('span.at', {}, [...new Set(at)].join(' – '))),
    ),
    el(
      'div.aside', {},
      status !== 'cancelled' && el('span.countdown', { hidden: true, 'data-countdown': true }),
      page && isAhead && el('a.add', { href: `${page}#add`, title: t('add'), 'aria-label': `${t('add')}: ${name}` }),
    ),
  )
}

// The number of the dates that have what is asked, and the rows of the first of them.
export async function answered(asked) {
  const { page, data } = await ask(`${told.api}?mode=page&${joined(pairsOf(scoped(asked)))}`)
  return [page.total_items, data.map(rowOf)]
}
