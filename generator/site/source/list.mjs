// The script of lists: searches, filters, orders and pages live, with what is shown in the address.
import './box.mjs'
import { $, $$, Refused, TEN, ask, el, load, number, prepare, reasonOf, refill, t, told, url } from './common.mjs'
import { boxes } from './list/boxes.mjs'
import { chips } from './list/chosen.mjs'
import { offer } from './list/downloads.mjs'
import { drawer, fillDrawer } from './list/drawer.mjs'
import { Filters } from './list/filters.mjs'
import { complete, constraintText, labelOf } from './list/labels.mjs'
import { Overview } from './list/overview.mjs'
import { page as shared } from './list/page.mjs'
import { reserve } from './list/rest.mjs'
import { areOneSeries, labelled, rows } from './list/rows.mjs'
import { headingOf, titleOf } from './list/title.mjs'
import { views } from './list/views.mjs'
import './shared/drops.mjs'
import { marker } from './shared/marker.mjs'
import { peek } from './shared/peek.mjs'
import { keepResults } from './shared/results.mjs'
import { searched } from './shared/words.mjs'
import { address, constraint, having, ignored, isOwn, query, read, target, words } from './list/state.mjs'

const TYPING = 100
const parts = Object.fromEntries(['q', 'groups', 'results', 'count', 'rows', 'pages', 'sorts', 'chosen', 'said', 'twin', 'more'].map((id) => [id, $(`#${id}`)]))
const embed = $('.offer code') // the line to copy: it is of what is shown
const heading = $('.head h1')
const about = $$('.crumbs, .head .actions, .letters')
const kept = ['count', 'rows', 'pages', 'chosen'].map((id) => [parts[id], [...parts[id].childNodes]])
const isSeries = parts.rows.classList.contains('series')
const texts = [document.title, heading.textContent]

let state = read()
let turn = 0
let typing = false
let timer
let drawn = TEN // rows that are shown, or were when one left

const filters = new Filters(parts.groups, (next, note) => go(next, 'push', false, note), (counts) => overview.draw(counts, state))
filters.follow(state)
const fill = () => filters.show().catch(uncounted)
const uncounted = () => overview.draw(null, state)
const besides = (name, value, ...more) => to(having(state, name, value), [el('bdi', {}, labelOf(name, value)), ...more])
const overview = new Overview(besides, fill)
const order = el('select', { id: 'order' })
const note = el('p.soft.small', { id: 'note', hidden: true }) // what was changed of what was asked
parts.rows.before(note)

// --- where one is ---

// What is to be found again when one comes back: how far the page was scrolled, and what had the focus.
const keyOf = (element) => element?.dataset?.key ?? element?.id ?? ''
const remember = () => history.replaceState({ y: scrollY, drawn, key: keyOf(document.activeElement) || document.activeElement?.getAttribute('href') }, '')

function go(next, how = 'push', focus = false, slips = '') {
  clearTimeout(timer)
  if (how === 'push') {
    remember()
    history.pushState({}, '', address(next))
  } else history.replaceState(history.state, '', address(next))
  state = next
  drawn = TEN
  return show(focus, slips)
}

async function back({ state: kept }) {
  if (!kept && location.hash && isOwn(state) && isOwn(read())) return // a letter of this page
  typing = false
  state = read()
  drawn = kept?.drawn ?? TEN
  await show(null)
  scrollTo(0, kept?.y ?? 0)
  const key = kept?.key
  if (key) $(`[data-key="${CSS.escape(key)}"], #${CSS.escape(key)}, a[href="${CSS.escape(key)}"]`)?.focus({ preventScroll: true })
}

// --- what is shown ---

async function show(focus, slips = '') {
  const mine = ++turn
  const asked = state
  filters.follow(asked)
  noted(asked.q, slips)
  if (parts.q !== document.activeElement || !typing) parts.q.value = asked.q
  orders(asked)
  parts.results.setAttribute('aria-busy', true)
  try {
    const answer = isOwn(asked) ? null : await ask(target(asked), [0, drawn])
    if (mine !== turn) return
    ready()
    if (answer) listed(answer)
    else restored()
    // What follows the first rows: the labels that they wait for, and how many records each value would leave.
    complete(Object.entries(asked.filters).flatMap(([name, text]) => (text.includes('..') ? [] : constraint(text).values.map((value) => [name, value])))).then(() => mine === turn && chosen(asked))
    if (filters.areSeen || overview.isOpen) filters.show().then(() => mine === turn && chosen(asked), () => mine === turn && uncounted())
  } catch (error) {
    if (mine !== turn) return
    await failed(error, () => mine === turn)
    ready()
    if (!(error instanceof Refused)) throw error
  } finally {
    if (mine === turn) parts.results.removeAttribute('aria-busy')
  }
  if (mine !== turn || focus === null) return
  if (focus) parts.count.focus({ preventScroll: true })
  if (focus || parts.results.getBoundingClientRect().top < 0) parts.results.scrollIntoView()
}

// Says what was changed of what was typed, and what of the address is not known.
function noted(text, slips = '') {
  const { q, fault } = searched(text)
  note.textContent = [fault && t(fault, { words: q }), slips, ignored()].filter(Boolean).join(' ')
  note.hidden = !note.textContent
}

// The page shows what its address asks for (early.mjs).
const ready = () => document.documentElement.classList.remove('asked')

// How many records are shown of how many, as generator/site/lists.py says it.
function shownOf({ number: at, size, total_items: count, total_pages: pages }) {
  const first = (at - 1) * size
  if (!count) return t('none')
  if (pages > 1) return t('range', { first: first + 1, last: Math.min(first + size, count), count })
  return words(state).length ? t('of', { count, all: told.all }) : amount(count)
}

const amount = (count) => t('count', { count, ...told.nouns[told.collection] })

// What the page is called: as it came with a total of null, and where nothing is known of the list without one.
function titled(total) {
  const isIt = total === null
  document.title = isIt ? texts[0] : titleOf(state)
  heading.textContent = isIt ? texts[1] : headingOf(state)
  for (const element of about) element.hidden = !isIt
  parts.twin.hidden = !isIt
  if (embed) {
    const asked = query({ ...state, page: 1 })
    embed.lastChild.data = embed.lastChild.data.replace(/(\?collection=[a-z]+)[^"]*/, (all, of) => of + (asked && `&${asked}`))
  }
  for (const one of [...downloads, ...$$('.offer')]) one.hidden = !(isIt ? told.total : total)
  fillDrawer(state, total)
}

const keepOwn = () => keepResults($$('.name', parts.rows).map((link) => link.pathname))

// The list that the page came with.
function restored() {
  titled(null)
  for (const [part, nodes] of kept) part.replaceChildren(...nodes)
  keepOwn()
  parts.rows.classList.toggle('series', isSeries)
  parts.said.textContent = [parts.count.textContent, note.textContent].filter(Boolean).join(' ')
}

function listed(answer) {
  const { page, data } = answer
  const [asked, mine] = [state, turn]
  const { number: at, size, total_items: total } = page
  titled(total)
  const first = (at - 1) * size
  const count = Math.min(size, total - first)
  parts.count.textContent = shownOf(page)
  parts.said.textContent = [amount(total), note.textContent].filter(Boolean).join(' ')
  const list = el(asked.q ? 'ul.entries.searched' : 'ul.entries', {}, rows(data.slice(0, drawn), asked.q))
  parts.rows.replaceChildren(total ? list : nothing(answer))
  parts.rows.classList.toggle('series', areOneSeries(data))
  parts.pages.replaceChildren(...pager(page))
  chosen(asked)
  const paths = (found) => found.map(({ slug }) => url(`${told.root}${slug}/`))
  keepResults(paths(data))
  const name = () => labelled(list, asked.q).then(() => excerpts(list, asked.q))
  name()
  const more = async (from, to) => {
    const found = data.length >= to ? data.slice(from, to) : (await ask(target(asked), [from, to])).data
    if (mine !== turn) return null
    keepResults(paths(found), from)
    return rows(found, asked.q)
  }
  if (total) {
    reserve(list, Math.min(drawn, count), count, more, (to) => {
      drawn = Math.max(drawn, to)
      name()
    })
  }
}

// Excerpts of texts that the rows of a search do not show.
async function excerpts(list, q) {
  const words = (q.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(marker)
  if (!words.length) return
  const { snippets } = await import(told.snippets).catch(() => ({}))
  snippets?.(list, words, marker(q), (slug) => url(`${told.api}/slug/${slug}.json`))
}

// Ways out of a search that finds nothing: `answer` has other words for it and other searches.
function nothing(answer) {
  const box = el('div.empty', {}, el('p.title', {}, t('nothing', { many: told.nouns[told.collection].many })))
  import(told.instead)
    .then(({ waysOut }) => waysOut(answer, state, { ...shared, to }))
    .then((ways) => box.append(...ways))
    .catch(() => {})
  return box
}

// What the API says of a refused search is said in words of the site, by a script that is loaded for it.  A value that is only
// spelled otherwise is corrected.
async function failed(error, isStill) {
  const { problem } = error
  const refused = problem && problem.status < 500
  const page = { ...shared, to }
  const { corrected, refusal } = (refused && (await import(told.instead).catch(() => null))) || {}
  const meant = await corrected?.(problem, state, page)
  if (!isStill()) return
  if (meant) return go(meant, 'replace')
  const said = await refusal?.(problem, state, page)
  if (!isStill()) return
  uncounted()
  titled(undefined)
  parts.count.textContent = t(refused ? 'none' : 'failed')
  const again = el('button', {}, t('again'))
  again.onclick = () => show(true)
  const box = el('div.empty', {}, said || [el('p.title', {}, t(reasonOf(error))), el('p', {}, again)])
  parts.said.textContent = box.firstChild.textContent
  parts.rows.replaceChildren(box)
  parts.pages.replaceChildren()
  chosen(state)
}

// A link to a state, which is shown here.
function to(next, children, attributes = {}) {
  const link = el('a', { href: address(next), ...attributes }, children)
  link.onclick = (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(next, 'push', true)
  }
  return link
}

function pager({ number: at, total_pages: pages }) {
  if (pages < 2) return []
  const page = (number) => ({ ...state, page: number })
  const step = (number, label, rel) =>
    number >= 1 && number <= pages ? to(page(number), [label], { rel, class: 'button quiet' }) : el('span.button.quiet', { 'aria-disabled': 'true' }, label)
  const shown = [...new Set([1, at - 1, at, at + 1, pages])].filter((one) => one >= 1 && one <= pages)
  const items = shown.flatMap((one, i) => [
    ...(i && one - shown[i - 1] > 1 ? [el('li.gap', { 'aria-hidden': 'true' }, '…')] : []),
    el('li', {}, to(page(one), [number(one)], { 'aria-label': t('page', { number: one }), 'aria-current': one === at && 'page' })),
  ])
  return [el('nav.pager', { 'aria-label': t('pages') }, step(at - 1, t('previous'), 'prev'), el('ol', {}, items), step(at + 1, t('next'), 'next'))]
}

// What the list is narrowed to.
function chosen(state) {
  if (!isOwn(state)) [document.title, heading.textContent] = [titleOf(state), headingOf(state)] // again when the labels are known
  if (isOwn(state) && !told.filter) return parts.chosen.replaceChildren()
  refill(parts.chosen, chips(state, (next) => go(next).then(() => ($('button', parts.chosen) ?? parts.count).focus())))
}

// --- what is done ---

function orders({ q, sort }) {
  const usual = q.trim() ? 'relevance' : told.order
  const sorts = [...(q.trim() ? [['relevance', t('relevance')]] : []), ...told.sorts]
  order.replaceChildren(...sorts.map(([value, label]) => el('option', { value: value === usual ? '' : value, selected: value === (sort || usual) }, label)))
}

function typed() {
  clearTimeout(timer)
  const q = parts.q.value
  const next = { ...state, q, page: 1, sort: state.sort === 'relevance' && !q.trim() ? '' : state.sort }
  if (query({ ...next, page: state.page }) === query(state)) {
    state = { ...state, q }
    noted(q)
    return
  }
  go(next, typing ? 'replace' : 'push')
  typing = true
}

parts.q.oninput = () => {
  clearTimeout(timer)
  timer = setTimeout(typed, TYPING)
  ahead(parts.q.value)
}
parts.q.onchange = () => {
  typed()
  typing = false
}
order.onchange = () => go({ ...state, sort: order.value, page: 1 })

document.onkeydown = (event) => {
  const { key, target } = event
  if (event.metaKey || event.ctrlKey || event.altKey) return
  const names = $$('.name', parts.rows)
  const at = names.indexOf(target)
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (target === parts.q && key === 'Escape' && parts.q.value) {
    parts.q.value = ''
    parts.q.onchange()
  } else if (target === parts.q && key === 'Enter') parts.q.onchange()
  else if (step && (at >= 0 || (target === parts.q && step > 0))) (names[at + step] ?? (at + step < 0 ? parts.q : target)).focus()
  else return
  event.preventDefault()
}

// Reads ahead what a search for these words needs.
const ahead = (q) => prepare(target({ ...state, q, page: 1, sort: '' })).catch(() => {})
parts.q.onfocus = parts.groups.onpointerenter = () => ahead(parts.q.value)
if (isOwn(state)) filters.areSeen ? fill() : filters.base && overview.draw(filters.base, state)

parts.sorts.replaceChildren(el('label', { for: 'order' }, t('order')), order)
orders(state)
const downloads = offer(parts.results, $('#downloads > [role=status]'), () => state)
for (const box of $$('.offer')) box.ontoggle = () => import(told.copy)
drawer(() => {
  parts.results.scrollIntoView()
  parts.count.focus({ preventScroll: true })
})
fillDrawer(state, null)
views($('.views'), parts.results, parts.rows)
// Where there is no room in the bar the views are among what else a list can be.
const narrow = matchMedia('(max-width: 45rem)')
const seat = () => (narrow.matches ? $('.panel', parts.more) : $('#views')).append($('.views'))
narrow.onchange = seat
seat()
boxes(parts.rows)
peek(parts.rows, '.name')
// What is likely to be asked for next.
const soon = (work) => navigator.connection?.saveData || (globalThis.requestIdleCallback ?? setTimeout)(work)
window.onpopstate = back
window.onpagehide = remember
history.scrollRestoration = 'manual'
if (isOwn(state)) {
  keepOwn()
  parts.q.value ||= state.q
  noted(state.q)
  ready()
  scrollTo(0, history.state?.y ?? scrollY)
  soon(() => ahead(''))
} else back({ state: history.state }).then(() => soon(() => load().catch(() => {})))
