// The landscape: status and country leave only some tiles, words dim the others, Enter goes to the next of them, "more" opens a
// group, and tiles have cards.  All tiles are in a file that is read when it is first needed.
import { $, $$, el, number, t, told, url } from '../../site/source/common.mjs'
import { peek } from '../../site/source/shared/peek.mjs'
import { show as showTray } from '../../site/source/shared/tray.mjs'

const [PAUSE, RUN] = [100, 200] // ms without a key, tiles of a list: browsers lay out those in sight
const [form, says, landscape] = ['#dimmer', '#dim-says', '#landscape'].map((selector) => $(selector))
const rest = $('.jump-to details') // the boxes that are not named at first
const { q } = form.elements
const selects = $$('select', form)
const fold = (text) => text.normalize('NFKD').replace(/\p{M}|['’]/gu, '').toLowerCase()
const put = (element, text) => element && (element.lastChild.data = text)

// --- groups, in the order of the file ---

const groups = $$('.tile-list', landscape).map((list) => {
  const head = document.getElementById(list.getAttribute('aria-labelledby'))
  const more = list.nextElementSibling?.matches('.more') && list.nextElementSibling
  return { list, head, more, box: list.closest('section'), tiles: [], isOpen: false }
})
const boxes = $$('section', landscape).map((section, i) => {
  const within = groups.filter(({ box }) => box === section)
  return { section, within, counts: [$('h2 .count', section), $(`[href="#box-${i + 1}"] .count`)] }
})

for (const group of groups) {
  if (!group.more) continue
  const link = $('a', group.more)
  const button = el('button.quiet', { type: 'button' }, link.textContent)
  link.replaceWith(button)
  button.onclick = async () => {
    group.isOpen = true
    const before = group.list.childElementCount
    await show().catch(() => location.assign(link))
    $('a', group.list.children[before])?.focus()
  }
}

// --- tiles ---

let reading // null when that failed
let all

async function read() {
  const response = await fetch(form.dataset.tiles)
  const { statuses, tiles } = await response.json()
  all = tiles.map(([name, slug, level, status, places, logo, of]) => {
    const [value, kind, label] = statuses[status]
    const tile = { name, slug, logo, label, folded: fold(name), values: { status: [value], location: places.split(' ') } }
    tile.kind = [level && `size-${level}`, kind].filter(Boolean).join(' ')
    for (const at of of) groups[at].tiles.push(tile)
    return tile
  })
}

const whole = () =>
  (reading ??= read().catch((error) => {
    reading = null
    throw error
  }))

// As the page has them: views.py.
const item = ({ name, slug, logo, label, kind }) =>
  el(
    'li', { class: kind || null },
    el(
      'a', { href: url(`${told.pages}/${slug}/`) },
      logo && el('img', { src: logo, alt: '', width: 20, height: 20, loading: 'lazy' }), name, label && el('span.unseen', {}, ` (${label})`),
    ),
  )

// Puts tiles into a group, whose list others follow if they are many; the links.
function fill({ list }, shown) {
  while (list.nextElementSibling?.matches('.long')) list.nextElementSibling.remove()
  const links = shown.map((tile) => item(tile))
  list.replaceChildren(...links.slice(0, RUN))
  for (let from = RUN, last = list; from < links.length; from += RUN) {
    const run = list.cloneNode()
    run.classList.add('long')
    run.append(...links.slice(from, from + RUN))
    last.after(run)
    last = run
  }
  return links.map((one) => one.firstChild)
}

// --- what is shown ---

const words = () => fold(q.value).split(/\s+/).filter(Boolean)
const isAsked = () => words().length + selects.filter(({ value }) => value).length > 0
let found = []
let at = -1
let timer = 0

function draw() {
  const wanted = words()
  const chosen = selects.filter(({ value }) => value)
  const fits = ({ values }) => chosen.every(({ name, value }) => values[name].includes(value))
  const has = ({ folded }) => wanted.length > 0 && wanted.every((word) => folded.includes(word))
  found = []
  at = -1
  for (const group of groups) {
    const { list, head, more, tiles, isOpen } = group
    const fitting = tiles.filter(fits)
    const shown = fitting.filter((tile, i) => isOpen || i < told.most || has(tile))
    const links = fill(group, shown)
    found.push(...links.filter((_, i) => has(shown[i])))
    group.total = fitting.length
    put($('.count', head), number(fitting.length))
    if (more) {
      more.hidden = shown.length === fitting.length
      put($('button', more), t('more', { count: fitting.length - shown.length, tag: $('bdi', head).textContent }))
    }
    head.hidden = list.hidden = !fitting.length
  }
  for (const link of found) link.classList.add('lit')
  for (const { section, within, counts } of boxes) {
    const total = within.reduce((sum, { total: own }) => sum + own, 0)
    section.hidden = !total
    for (const count of counts) put(count, number(total))
    if (counts[1]) counts[1].closest('li').hidden = !total
  }
  if (rest) {
    const left = $$('li', rest).filter((one) => !one.hidden).length
    put($('summary', rest), told.others.replace('{count}', number(left)))
    rest.hidden = !left
  }
  landscape.classList.toggle('asked', wanted.length > 0)
  const fitting = all.filter(fits)
  if (wanted.length) says.textContent = t('found', { count: fitting.filter(has).length, ...told })
  else says.textContent = chosen.length ? t('shown', { count: fitting.length, all: all.length, ...told }) : ''
}

async function show() {
  clearTimeout(timer)
  timer = 0
  if (!all) await whole()
  draw()
}

function asked() {
  const query = new URLSearchParams(new FormData(form))
  for (const [name, value] of [...query]) if (!value.trim()) query.delete(name)
  history.replaceState(history.state, '', location.pathname + (query.size ? `?${query}` : '') + location.hash)
  show().catch(() => (says.textContent = t('failed')))
}

q.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(asked, PAUSE)
})
for (const select of selects) select.addEventListener('change', asked)
form.addEventListener('submit', (event) => {
  if (reading === null) return // the tiles could not be read: the form leads to the list
  event.preventDefault()
  if (timer && all) asked()
  if (!found.length) return
  at = (at + 1) % found.length
  found[at].scrollIntoView({ block: 'center' })
  for (const link of found) link.classList.toggle('here', link === found[at])
})
// What the address asks for, or what a browser that goes back kept.
for (const [name, value] of new URLSearchParams(location.search)) if ([q, ...selects].includes(form.elements[name])) form.elements[name].value = value
if (isAsked()) asked()
showTray()
peek(landscape, '.tile-list a', true)
