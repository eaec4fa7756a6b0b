// Two to four records, tags or countries side by side: those that the address names, and those that a reader adds.  The page comes
// with two cohorts or programs, drawn in the same way (templates/site/compare.html.j2).  Numbers are counted by mode=count; the facts of a
// record are read from its page, where they are in the language of the site.
import { $, $$, Refused, ask, el, number, refill, t, told, url } from '../../site/source/common.mjs'

const ROWS = 8 // values of a filter
const RECORDS = 8 // projects that are offered at once
const WORDS = 8 // words of a search
const AT_ONCE = 3 // filters that one answer counts by
const PAUSE = 150 // ms without a key

const [seek, choices, says, comparison] = ['#seek', '#seek-found', '#says', '#comparison'].map((selector) => $(selector))
const isCountry = (value) => value.length === 2
const chunks = (names) => names.flatMap((_, i) => (i % AT_ONCE ? [] : [names.slice(i, i + AT_ONCE)]))
const why = (error, value) => (error.problem?.status < 500 ? t('unknown', { word: value }) : t('failed'))

// Documents have the schema's own words and countries in English, a page has them in its language.
const { lang } = document.documentElement
const regions = lang.startsWith('en') ? null : new Intl.DisplayNames([lang], { type: 'region' })
function word(filter, value, label) {
  if (filter === 'location' && regions && isCountry(value)) return regions.of(value.toUpperCase())
  return (filter === 'status' && told.status[value]) || label
}

const hundredths = (share) => {
  const digits = 100 * share
  const shown = digits > 0 && digits < 9.95 ? digits.toFixed(1).replace(/\.0$/, '') : digits.toFixed(0)
  return shown.replace('.', told.decimal)
}
const percent = (share) => told.percent.replace('{number}', hundredths(share))

// The second of two shares less the first, with its sign; of several how far they are apart.
function difference(shares, isSpread) {
  if (isSpread) return hundredths(Math.max(...shares) - Math.min(...shares))
  const [before, after] = shares
  const digits = hundredths(Math.abs(after - before))
  return digits === '0' ? digits : (after > before ? '+' : '\u2212') + digits
}

// --- what is compared: [filter, value] each, in the address ---

let subjects = []

function read() {
  const named = [...new URLSearchParams(location.search)].flatMap(([name, values]) =>
    told.kinds[name] ? values.split(',').map((value) => [name, value]) : [],
  )
  return (named.length ? named : told.subjects).slice(0, told.most)
}

function go(next) {
  const words = next.map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  history.pushState(null, '', words.length ? `?${words.join('&')}` : location.pathname)
  show()
}

// --- counting ---

async function labelOf([name, value]) {
  const { data } = await (await fetch(url(`${told.api}/filters/${name}.json`))).json()
  return word(name, value, data.values.find((known) => known.value === value).label)
}

// The name of a record, its line, and its facts: a label with the nodes of each value.
async function recordOf(path) {
  const response = await fetch(url(path)).catch(() => null)
  if (!response?.ok) throw new Refused(response && { status: response.status })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const facts = new Map()
  for (const fact of $$('.line > div, .facts:not(.when, [aria-labelledby=together] *) > div', page)) {
    const [label, chips] = [$('dt', fact).textContent, $$('dd > .chips > li', fact)]
    const values = (chips.length ? chips : $$('dd', fact)).map((value) => [...value.childNodes])
    // The line has each value by itself; a field that it has in part is among the facts, too.
    facts.set(label, fact.closest('.line') ? [...(facts.get(label) ?? []), ...values] : values)
  }
  return { label: $('h1', page).textContent, line: $('.lead', page)?.textContent, facts }
}

const target = (asked, more = '') => `${told.api}?mode=count&${asked.map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join('&')}${more}`

// A subject with its label; a record with its facts; all but projects with how many projects they have, and how many of these
// have each value; or why there is none.
async function counted(subject) {
  const [name, value] = subject
  const root = told.roots[name]
  const page = root ? `${root}/${value}/` : `${told.roots[told.kind]}/${name.replaceAll('_', '-')}/${value}/`
  const of = { subject, href: url(page), label: value, counts: {} }
  try {
    const [record, label] = await Promise.all([root && recordOf(page), root ? '' : labelOf(subject).catch(() => value)])
    Object.assign(of, record || { label })
    if (name !== told.kind) await count(of)
  } catch (error) {
    of.refused = why(error, value)
  }
  return of
}

async function count(of) {
  const filters = told.titles.year ? ['year', ...told.sections] : told.sections
  for (const by of filters.length ? chunks(filters) : ['']) {
    const answer = await ask(target([of.subject], by && `&by=${by}`))
    of.total = answer.total_items
    for (const [filter, { values, truncated }] of Object.entries(answer.counts ?? {})) {
      // What was asked of a filter does not narrow its own counts: they tell nothing of this subject.
      of.counts[filter] = filter === of.subject[0] ? null : { truncated, values: new Map(values.map((v) => [v.value, v])) }
    }
  }
}

// How many projects of a subject have a value: where it is not among the most frequent, it is asked for.
async function numberOf(of, filter, value) {
  const counts = of.counts[filter]
  if (!counts) return null
  const known = counts.values.get(value)
  if (known || !counts.truncated) return known?.count ?? 0
  return (await ask(target([of.subject, [filter, value]]))).total_items
}

// The values of a filter that are the greatest part of any subject: { label, value, numbers }, null where none is known.
async function linesOf(filter, every) {
  const most = new Map()
  for (const { counts, total } of every) {
    for (const { value, label, count } of counts[filter]?.values.values() ?? []) {
      if (filter === 'location' && !isCountry(value)) continue
      most.set(value, { value, label: word(filter, value, label), most: Math.max(most.get(value)?.most ?? 0, count / total) })
    }
  }
  const first = [...most.values()].sort((a, b) => b.most - a.most || (a.value < b.value ? -1 : 1)).slice(0, ROWS)
  return Promise.all(
    first.map(async (line) => ({ ...line, numbers: await Promise.all(every.map((of) => numberOf(of, filter, line.value))) })),
  )
}

// --- drawing ---

function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

// A part of the table under its heading.
const group = (name, columns, rows) =>
  el('tbody', { 'data-by': name }, el('tr.group', {}, el('td', { colspan: columns }, el('h2', {}, told.titles[name]))), rows)

// The last cell of a row where several are compared.
const apart = (every, text = '', soft = false) => every.length > 1 && el(soft ? 'td.apart.soft' : 'td.apart', {}, text)

function bars(filter, every, lines) {
  const root = `${told.roots[told.kind]}/${filter.replaceAll('_', '-')}`
  const cell = (tone, count, total) => {
    if (total === undefined) return el('td', {}, el('span.soft', {}, '–'))
    if (count === null) return el('td.soft', { title: t('chosen') }, '–')
    const share = total ? count / total : 0
    const bar = svg('rect', { class: tone, width: `${100 * share}%`, height: 6 })
    const track = svg('svg', { class: 'track', width: '100%', height: 6, 'aria-hidden': 'true' }, bar)
    return el('td', {}, el('span.share', {}, percent(share)), ' ', el('span.soft', {}, number(count)), track)
  }
  return lines.map(({ value, label, numbers }) => {
    const tone = (filter === 'status' && told.tones[value]) || 'bar'
    const shares = every.flatMap(({ at, total }) => (numbers[at] === null || !total ? [] : [numbers[at] / total]))
    return el(
      'tr', {},
      el('th', { scope: 'row' }, el('a', { href: url(`${root}/${value}/`) }, el('bdi', {}, label))),
      every.map(({ at, total }) => cell(tone, numbers[at], total)),
      apart(every, shares.length > 1 ? difference(shares, every.length > 2) : ''),
    )
  })
}

function facts(every) {
  const known = every.filter((of) => of.facts)
  const labels = [...new Set(known.flatMap((of) => [...of.facts.keys()]))]
  const values = (nodes) => el('td', {}, nodes ? el('ul.plain', {}, nodes.map((children) => el('li', {}, children))) : el('span.soft', {}, '–'))
  const text = (nodes) => JSON.stringify(nodes?.map((children) => children.map((child) => child.textContent).join('')))
  return labels.map((label) => {
    const texts = new Set(every.map((of) => text(of.facts?.get(label))))
    const cells = every.map((of) => values(of.facts?.get(label)))
    return el('tr', {}, el('th', { scope: 'row' }, label), cells, apart(every, texts.size === 1 ? t('same') : '', true))
  })
}

// Years on one scale: the share of all of a subject's projects.
function timelines(every, columns) {
  const numbers = every.map(({ counts }) => new Map([...(counts.year?.values.values() ?? [])].map((v) => [+v.value, v.count])))
  if (!numbers.some((of) => of.size > 1)) return []
  const years = [...new Set(numbers.flatMap((of) => [...of.keys()]))].sort((a, b) => a - b)
  const [first, last] = [years[0], years.at(-1)]
  const slot = 100 / (last - first + 1)
  const share = (i, count) => count / (every[i].total || 1)
  const top = Math.max(...numbers.flatMap((of, i) => [...of.values()].map((count) => share(i, count)))) || 1
  const line = (of, i) => {
    const most = Math.max(0, ...numbers[i].values())
    const peak = years.find((year) => numbers[i].get(year) === most)
    const drawn = [...numbers[i]].map(([year, count]) => {
      const tall = (100 * share(i, count)) / top
      const place = { class: 'bar', x: `${(year - first) * slot}%`, y: `${100 - tall}%`, width: `${0.8 * slot}%`, height: `${tall}%` }
      return svg('rect', place, svg('title', {}, `${year}: ${number(count)}`))
    })
    const label = `${of.label}: ${most ? t('peak', { year: String(peak), number: most }) : 0}`
    const base = svg('line', { class: 'rule base', x1: 0, x2: '100%', y1: '100%', y2: '100%' })
    return el('td', {}, svg('svg', { class: 'timeline', width: '100%', height: 56, role: 'img', 'aria-label': label }, ...drawn, base))
  }
  const heads = every.map((of) => el('th.num', { scope: 'col' }, el('bdi', {}, of.label)))
  const row = (year) => el('tr', {}, el('th', { scope: 'row' }, String(year)), numbers.map((of) => el('td.num', {}, number(of.get(year) ?? 0))))
  const table = el(
    'details.numbers', {},
    el('summary', {}, t('table')),
    el('table', { 'aria-label': told.titles.year }, el('thead', {}, el('tr', {}, el('td'), heads)), el('tbody', {}, years.map(row))),
  )
  const cut = every.some(({ counts }) => counts.year?.truncated) && el('p.soft.small', {}, t('truncated'))
  return [
    el('tr', {}, el('th', { scope: 'row' }, `${first}–${last}`), every.map(line), apart(every)),
    el('tr', {}, el('td', { colspan: columns }, cut, table)),
  ]
}

const head = (of, i) =>
  el(
    'th', { scope: 'col' },
    el(
      'div', {},
      of.refused ? el('bdi.name', {}, of.label) : el('a.name', { href: of.href }, el('bdi', {}, of.label)), ' ',
      el('button.quiet', { type: 'button', 'data-key': i, 'data-remove': i, 'aria-label': t('remove', { name: of.label }) }, '×'),
    ),
    of.refused
      ? el('p', {}, of.refused)
      : of.total === undefined
        ? of.line && el('p.soft', {}, of.line)
        : el('p', {}, el('span.value', {}, number(of.total)), ' ', el('span.soft', {}, told.what)),
  )

// One table, so that its head with the names stays in view.
function table(every, lines) {
  const columns = every.length + (every.length > 1 ? 2 : 1)
  const said = every.length > 2 ? 'spread' : 'difference'
  const counted = every.length > 1 && el('th.apart', { scope: 'col' }, t(said), el('p.soft', {}, t('points')))
  const parts = [
    ['facts', facts(every)],
    ...told.sections.map((filter, i) => [filter, lines[i] instanceof Error ? failed(columns) : bars(filter, every, lines[i])]),
    ['year', timelines(every, columns)],
  ]
  return el(
    'table.versus', { 'aria-label': $('h1').textContent },
    el('thead', {}, el('tr', {}, el('td'), every.map(head), counted)),
    parts.flatMap(([name, rows]) => (rows.length ? [group(name, columns, rows)] : [])),
  )
}

const failed = (columns) => [el('tr', {}, el('td', { colspan: columns }, el('p.note', {}, t('failed'))))]

let turn = 0 // what is counted for an address that was left is not shown

async function show() {
  const mine = ++turn
  subjects = read()
  says.textContent = t('counting')
  comparison.setAttribute('aria-busy', true)
  const every = (await Promise.all(subjects.map(counted))).map((of, at) => ({ ...of, at }))
  const lines = await Promise.all(told.sections.map((filter) => linesOf(filter, every).catch((error) => error)))
  if (mine !== turn) return
  document.documentElement.classList.remove('asked')
  comparison.removeAttribute('aria-busy')
  refill(comparison, every.length ? [table(every, lines)] : [])
  says.textContent = [t('compared', { count: every.filter((of) => !of.refused).length }), ...every.map((of) => of.refused ?? '')].join(' ')
  tellRoom()
}

const isFull = () => subjects.length >= told.most
const tellRoom = () => ($('#seek-says').textContent = t(isFull() ? 'full' : 'which', { count: told.most }))

// --- choosing ---

let asked = 0
let timer

function offer(children) {
  choices.replaceChildren(...children)
  choices.hidden = !children.length
}

async function search() {
  const mine = ++asked
  const text = (seek.value.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, WORDS).join(' ')
  if (!text || isFull()) return offer([])
  let found
  try {
    const word = encodeURIComponent(text)
    const names = Object.keys(told.kinds).filter((name) => name !== told.kind && (name !== 'location' || !regions))
    const [records, ...answers] = await Promise.all([
      projectsLike(word),
      ...chunks(names).map((by) => ask(`${told.api}?mode=count&by=${by}&like=${word}`)),
    ])
    const values = answers.flatMap(({ counts }) => Object.entries(counts).flatMap(([name, of]) => offered(name, of.values)))
    if (regions && told.kinds.location) values.push(...offered('location', await countriesLike(text)))
    found = [...values.sort((a, b) => b.count - a.count), ...offered(told.kind, records)]
  } catch (error) {
    if (mine !== asked) return
    offer([el('li', {}, t('failed'))])
    says.textContent = t('failed')
    return
  }
  if (mine !== asked) return
  const said = found.length ? t('found', { count: found.length }) : t('nothing', { word: seek.value.trim() })
  says.textContent = said
  offer(found.length ? found.map(choice) : [el('li', {}, said)])
}

async function projectsLike(words) {
  const { data } = await ask(`${told.api}?mode=page&q=${words}`)
  return data.slice(0, RECORDS).map(({ slug, name }) => ({ value: slug, label: name, count: null }))
}

const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

// Countries of which the name in the page's language has a word that begins so: documents have them in English.
async function countriesLike(text) {
  const { data } = await (await fetch(url(`${told.api}/filters/location.json`))).json()
  const begins = ({ value }) => isCountry(value) && ` ${folded(word('location', value))}`.includes(` ${folded(text)}`)
  return data.values.filter(begins)
}

function offered(name, values) {
  const there = subjects.filter(([filter]) => filter === name).map(([, value]) => value)
  const rest = values.filter(({ value }) => !there.includes(value) && (name !== 'location' || isCountry(value)))
  return rest.map(({ value, label, count }) => ({ name, value, label: word(name, value, label), count }))
}

const choice = ({ name, value, label, count }) =>
  el(
    'li', {},
    el(
      'button.quiet', { type: 'button', 'data-add': `${name}=${value}` },
      el('bdi', {}, label), ' ', el('span.soft', {}, told.kinds[name]), ' ',
      count !== null && el('span.count', {}, number(count)),
    ),
  )

function leave() {
  asked++
  seek.value = ''
  offer([])
}

seek.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(search, PAUSE)
})

// From the field to what is offered and back; Escape leaves.
$('.seeker').addEventListener('keydown', (event) => {
  const stops = [seek, ...$$('button', choices)]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (event.key === 'Escape') {
    leave()
    seek.focus()
  } else if (step && stops.length > 1) {
    event.preventDefault()
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus()
  } else if (event.key === 'Enter' && event.target === seek) {
    stops[1]?.click()
  }
})

choices.addEventListener('click', (event) => {
  const button = event.target.closest('[data-add]')
  if (!button) return
  go([...subjects, button.dataset.add.split('=')])
  leave()
  seek.focus()
})

comparison.addEventListener('click', (event) => {
  const button = event.target.closest('[data-remove]')
  if (!button) return
  go(subjects.filter((_, i) => i !== +button.dataset.remove))
  seek.focus({ preventScroll: true })
})

addEventListener('popstate', show)
subjects = read()
if (location.search.length > 1 || !$('table', comparison)) show()
if (location.hash === '#seek') seek.focus()
