// Two to four records, tags or countries side by side: those that the address names, and those that a reader adds.  The page comes
// with two programs, drawn in the same way (templates/site/compare.html.j2).  Numbers are counted by mode=count; the facts of a
// record are read from its page, where they are in the language of the site.
import { $, $$, Refused, ask, el, number, refill, t, told, url } from '../../site/source/common.mjs'

const LETTERS = 'ABCD'
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

const percent = (share) => {
  const digits = 100 * share
  const shown = digits > 0 && digits < 9.95 ? digits.toFixed(1).replace(/\.0$/, '') : digits.toFixed(0)
  return told.percent.replace('{number}', shown.replace('.', told.decimal))
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
  const { data } = await (await fetch(url(`/api/projects/filters/${name}.json`))).json()
  return word(name, value, data.values.find((known) => known.value === value).label)
}

// The name of a record, its line, and its facts: a label with the nodes of each value.
async function recordOf(path) {
  const response = await fetch(url(path)).catch(() => null)
  if (!response?.ok) throw new Refused(response && { status: response.status })
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const facts = $$('.facts:not(.when) > div', page).map((fact) => {
    const chips = $$('dd > .chips > li', fact)
    return [$('dt', fact).textContent, (chips.length ? chips : $$('dd', fact)).map((value) => [...value.childNodes])]
  })
  return { label: $('h1', page).textContent, line: $('.lead', page)?.textContent, facts: new Map(facts) }
}

const target = (asked, more = '') => `/api/projects?mode=count&${asked.map(([k, v]) => `${k}=${encodeURIComponent(v)}`).join('&')}${more}`

// A subject with its label; a record with its facts; all but projects with how many projects they have, and how many of these
// have each value; or why there is none.
async function counted(subject) {
  const [name, value] = subject
  const root = told.roots[name]
  const page = root ? `${root}/${value}/` : `${told.roots.project}/${name.replaceAll('_', '-')}/${value}/`
  const of = { subject, href: url(page), label: value, counts: {} }
  try {
    const [record, label] = await Promise.all([root && recordOf(page), root ? '' : labelOf(subject).catch(() => value)])
    Object.assign(of, record || { label })
    if (name !== 'project') await count(of)
  } catch (error) {
    of.refused = why(error, value)
  }
  return of
}

async function count(of) {
  for (const by of chunks(['year', ...told.sections])) {
    const answer = await ask(target([of.subject], `&by=${by}`))
    of.total = answer.total_items
    for (const [filter, { values, truncated }] of Object.entries(answer.counts)) {
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

// The values of a filter that are the greatest part of any subject: { label, value, numbers }.
async function linesOf(filter, shown) {
  const most = new Map()
  for (const { counts, total } of shown) {
    for (const { value, label, count } of counts[filter]?.values.values() ?? []) {
      if (filter === 'location' && !isCountry(value)) continue
      most.set(value, { value, label: word(filter, value, label), most: Math.max(most.get(value)?.most ?? 0, count / total) })
    }
  }
  const first = [...most.values()].sort((a, b) => b.most - a.most || (a.value < b.value ? -1 : 1)).slice(0, ROWS)
  return Promise.all(
    first.map(async (line) => ({ ...line, numbers: await Promise.all(shown.map((of) => numberOf(of, filter, line.value))) })),
  )
}

// --- drawing ---

function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const letter = (i) => el('span.letter', { 'aria-hidden': 'true' }, LETTERS[i])
const heads = (shown) =>
  el('thead', {}, el('tr', {}, el('td'), shown.map((of) => el('th.num', { scope: 'col' }, letter(of.at), el('span.unseen', {}, of.label)))))
const nothing = () => el('p.soft.small', {}, t('none'))

function table(filter, shown, lines) {
  if (!lines.length) return nothing()
  const cell = (count, total) => {
    if (count === null) return el('td.num.soft', { title: t('chosen') }, '–')
    const share = total ? count / total : 0
    const bar = svg('rect', { class: 'bar', width: `${100 * share}%`, height: 6 })
    const track = svg('svg', { class: 'track', width: '100%', height: 6, 'aria-hidden': 'true' }, bar)
    return el('td.num', {}, el('span.share', {}, percent(share)), ' ', el('span.soft', {}, number(count)), track)
  }
  const root = `${told.roots.project}/${filter.replaceAll('_', '-')}`
  const row = ({ value, label, numbers }) =>
    el(
      'tr', {},
      el('th', { scope: 'row' }, el('a', { href: url(`${root}/${value}/`) }, el('bdi', {}, label))),
      numbers.map((count, i) => cell(count, shown[i].total)),
    )
  return el('table.versus', { 'aria-labelledby': `by-${filter}` }, heads(shown), el('tbody', {}, lines.map(row)))
}

function facts(shown) {
  const labels = [...new Set(shown.flatMap((of) => [...of.facts.keys()]))]
  const values = (nodes) => el('td', {}, nodes ? el('ul.plain', {}, nodes.map((children) => el('li', {}, children))) : el('span.soft', {}, '–'))
  const row = (label) => el('tr', {}, el('th', { scope: 'row' }, label), shown.map((of) => values(of.facts.get(label))))
  return el('table.versus', { 'aria-labelledby': 'by-facts' }, heads(shown), el('tbody', {}, labels.map(row)))
}

function timelines(shown) {
  const numbers = shown.map(({ counts }) => new Map([...(counts.year?.values.values() ?? [])].map((v) => [+v.value, v.count])))
  const years = [...new Set(numbers.flatMap((of) => [...of.keys()]))].sort((a, b) => a - b)
  if (!years.length) return [nothing()]
  const [first, last] = [years[0], years.at(-1)]
  const slot = 100 / (last - first + 1)
  const line = (of, i) => {
    const most = Math.max(0, ...numbers[i].values())
    const peak = years.find((year) => numbers[i].get(year) === most)
    const bars = [...numbers[i]].map(([year, count]) => {
      const tall = (100 * count) / most
      const place = { class: 'bar', x: `${(year - first) * slot}%`, y: `${100 - tall}%`, width: `${0.8 * slot}%`, height: `${tall}%` }
      return svg('rect', place, svg('title', {}, `${year}: ${number(count)}`))
    })
    const label = `${of.label}: ${most ? t('peak', { year: String(peak), number: most }) : t('none')}`
    const base = svg('line', { class: 'rule base', x1: 0, x2: '100%', y1: '100%', y2: '100%' })
    return el('div.chart.timeline', {}, letter(of.at), svg('svg', { width: '100%', height: 56, role: 'img', 'aria-label': label }, ...bars, base))
  }
  const row = (year) => el('tr', {}, el('th', { scope: 'row' }, String(year)), numbers.map((of) => el('td.num', {}, number(of.get(year) ?? 0))))
  return [
    ...shown.map(line),
    el('p.ends.soft.small', { 'aria-hidden': 'true' }, el('span', {}, String(first)), el('span', {}, String(last))),
    shown.some(({ counts }) => counts.year?.truncated) && el('p.soft.small', {}, t('truncated')),
    el(
      'details.numbers', {},
      el('summary', {}, t('table')),
      el('table.versus', { 'aria-labelledby': 'by-year' }, heads(shown), el('tbody', {}, years.map(row))),
    ),
  ].filter(Boolean)
}

const card = (of, i) =>
  el(
    'li', {},
    letter(i),
    el(
      'div', {},
      of.refused ? el('bdi.name', {}, of.label) : el('a.name', { href: of.href }, el('bdi', {}, of.label)),
      of.refused
        ? el('p', {}, of.refused)
        : of.total === undefined
          ? of.line && el('p.soft.small', {}, of.line)
          : el('p', {}, el('span.value', {}, number(of.total)), ' ', el('span.soft', {}, told.what)),
    ),
    el('button.quiet', { type: 'button', 'data-key': i, 'data-remove': i, 'aria-label': t('remove', { name: of.label }) }, '×'),
  )

let turn = 0 // what is counted for an address that was left is not shown

async function show() {
  const mine = ++turn
  subjects = read()
  says.textContent = t('counting')
  comparison.setAttribute('aria-busy', true)
  const every = (await Promise.all(subjects.map(counted))).map((of, at) => ({ ...of, at }))
  const shown = every.filter((of) => of.total !== undefined)
  const records = every.filter((of) => of.facts)
  const drawn = await Promise.all(
    told.sections.map(async (filter) => {
      const lines = await linesOf(filter, shown).catch((error) => error)
      return lines instanceof Error ? el('p.note', {}, t('failed')) : table(filter, shown, lines)
    }),
  )
  if (mine !== turn) return
  document.documentElement.classList.remove('asked')
  comparison.removeAttribute('aria-busy')
  refill($('#subjects'), every.map(card))
  told.sections.forEach((filter, i) => part(filter, shown, [drawn[i]]))
  part('year', shown, timelines(shown))
  part('facts', records, [facts(records)])
  says.textContent = [t('compared', { count: every.filter((of) => !of.refused).length }), ...every.map((of) => of.refused ?? '')].join(' ')
  tellRoom()
}

// A part of the page, which is hidden where no subject has it.
function part(name, shown, children) {
  const place = $(`[data-by="${name}"]`)
  place.replaceChildren(...children)
  place.closest('section').hidden = !shown.length
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
    const names = Object.keys(told.kinds).filter((name) => name !== 'project' && (name !== 'location' || !regions))
    const [records, ...answers] = await Promise.all([
      projectsLike(word),
      ...chunks(names).map((by) => ask(`/api/projects?mode=count&by=${by}&like=${word}`)),
    ])
    const values = answers.flatMap(({ counts }) => Object.entries(counts).flatMap(([name, of]) => offered(name, of.values)))
    if (regions) values.push(...offered('location', await countriesLike(text)))
    found = [...values.sort((a, b) => b.count - a.count), ...offered('project', records)]
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
  const { data } = await ask(`/api/projects?mode=page&q=${words}`)
  return data.slice(0, RECORDS).map(({ slug, name }) => ({ value: slug, label: name, count: null }))
}

const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

// Countries of which the name in the page's language has a word that begins so: documents have them in English.
async function countriesLike(text) {
  const { data } = await (await fetch(url('/api/projects/filters/location.json'))).json()
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

$('#subjects').addEventListener('click', (event) => {
  const button = event.target.closest('[data-remove]')
  if (!button) return
  go(subjects.filter((_, i) => i !== +button.dataset.remove))
  seek.focus({ preventScroll: true })
})

addEventListener('popstate', show)
subjects = read()
if (location.search.length > 1 || !$('#subjects li')) show()
