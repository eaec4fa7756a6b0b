// The card of a record, filled from its JSON: beside the name that it is of or below it, on a phone at the bottom of the window.
// Its texts are those of the search box, labels of values come from the file of a list's values.
import { $, $$, adopt, el, t, url } from './common.mjs'
import { face } from './shared/face.mjs'
import { isChosen, toggle, tray } from './shared/tray.mjs'

// Milliseconds without the pointer, pixels around the card, the share of a row that has its name, tags.
const [LEAVE, GAP, NAMES, TAGS] = [250, 8, 0.4, 8]
const regions = new Intl.DisplayNames([document.documentElement.lang, 'en'], { type: 'region' })

const card = el('div.card', { popover: 'auto', role: 'dialog', tabindex: '-1', 'aria-labelledby': 'card-name' })
document.body.append(card)

// --- what is read, once ---

const reads = new Map()
async function read(path) {
  const response = await fetch(path)
  if (!response.ok) throw new Error(path)
  return response.text()
}

function once(path, take) {
  if (!reads.has(path)) reads.set(path, read(path).then(take))
  const found = reads.get(path)
  found.catch(() => reads.delete(path))
  return found
}

// What the search box is told, when the style sheet of the card is there too.
async function settle(text) {
  const settings = adopt(text)
  const sheet = el('link', { rel: 'stylesheet', href: settings.card })
  await new Promise((done) => {
    sheet.onload = sheet.onerror = done
    document.head.append(sheet)
  })
  return settings
}

// The labels of a collection's values by `filter/value`; without them values are spelled.
const labelsOf = ({ values }) =>
  (values ? once(url(values), JSON.parse) : Promise.reject())
    .then(({ groups }) => new Map(groups.flatMap(([name, , own]) => own.map(([value, label]) => [`${name}/${value}`, label]))))
    .catch(() => new Map())

// The record that a link leads to, its collection, and the function of its labels.
async function recordOf({ pathname }) {
  const { collections } = await once($('#find').dataset.told, settle)
  const [name, of] = Object.entries(collections).find(([, { root }]) => pathname.startsWith(url(root)))
  const slug = pathname.slice(url(of.root).length).replace('/', '')
  const [{ data }, labels] = await Promise.all([once(url(`${of.api}/slug/${slug}.json`), JSON.parse), labelsOf(of)])
  return { data, name, of, labelOf: (filter, value) => labels.get(`${filter}/${value}`) ?? value.replace(/-/g, ' ') }
}

// --- what is shown ---

function badge(data, { badge: [path, tones, name, field] }, labelOf) {
  const value = [path && path.split('.').reduce((one, key) => one?.[key], data)].flat()[0]
  if (value === true) return field && el('span.badge.quiet', {}, field.label)
  return typeof value === 'string' && value && el('span', { class: `badge ${tones[value] ?? 'quiet'}` }, field?.values?.[value] ?? labelOf(name, value))
}

// Where and since when a record is, and what it belongs to.
function notes(data, labelOf) {
  const [place, ...others] = data.locations ?? []
  const where = place && [place.city || place.region, regions.of(place.country)].filter(Boolean).join(', ')
  const owners = Object.values(data).flat().filter((one) => one?.href && one.name)
  return [where && (others.length ? `${where} +${others.length}` : where), data.remote && labelOf('location', 'remote'), data.year && String(data.year), ...owners.slice(0, 2).map(({ name }) => name)].filter(Boolean)
}

function comparing(name, { slug, name: label }) {
  if (tray?.dataset.collection !== name) return null
  const button = el('button.quiet', { type: 'button' }, t('compare'))
  const show = () => button.setAttribute('aria-pressed', isChosen(name, slug))
  button.onclick = () => {
    toggle(name, slug, label)
    show()
  }
  show()
  return button
}

function fill(link, { data, name, of, labelOf }) {
  const tags = new Map() // of several that are called alike the last
  for (const [family, own] of Object.entries(data.tags ?? {})) for (const tag of own) tags.set(labelOf(`tag_${family}`, tag), `tag_${family}=${tag}`)
  const chip = ([label, query]) => el('li', {}, el('a.chip', { href: url(`${of.root}?${query}`) }, el('bdi', {}, label)))
  const close = el('button.quiet.close', { type: 'button', 'aria-label': t('close') }, '×')
  close.onclick = () => card.hidePopover()
  const isSite = /^https?:\/\//i.test(data.website)
  const lines = notes(data, labelOf)
  card.replaceChildren(
    el('div.top', {}, face(data), el('div', {}, el('h2', { id: 'card-name', dir: 'auto' }, data.name), badge(data, of, labelOf)), close),
    ...[
      data.summary && el('p', { dir: 'auto' }, data.summary),
      lines.length && el('p.soft.small.about', {}, lines.map((text) => el('bdi', {}, text))),
      tags.size && el('ul.chips', {}, [...tags].slice(0, TAGS).map(chip)),
    ].filter(Boolean),
    el('p.row', {}, el('a.button', { href: link.pathname }, t('open')), isSite && el('a.button.quiet.outside', { href: data.website, rel: 'noopener nofollow ugc' }, t('website')), comparing(name, data)),
  )
}

// Beside the names of rows if there is room, else below the link, or above: never over it.
function put(link, row) {
  const at = link.getBoundingClientRect()
  const { left, width: whole } = row.getBoundingClientRect()
  const [width, height] = [card.offsetWidth, card.offsetHeight]
  const [right, bottom] = [document.documentElement.clientWidth - width - GAP, innerHeight - height - GAP]
  const beside = Math.max(at.right + GAP, Math.min(left + NAMES * whole, right))
  const isBeside = link.parentElement !== row && beside <= right
  const below = at.bottom + GAP
  const x = isBeside ? beside : Math.max(GAP, Math.min(at.left, right))
  const y = isBeside ? Math.max(GAP, Math.min(at.top - GAP, bottom)) : below <= bottom ? below : at.top - GAP - height
  card.style.setProperty('--x', `${x + scrollX}px`)
  card.style.setProperty('--y', `${y + scrollY}px`)
}

// --- opening and closing ---

let source // the link whose card is open
let item // what the pointer may rest on
let timer // of a pointer that left
let turn = 0

export async function open(link, isHover = false) {
  const mine = ++turn
  const [from, focused] = [link.closest('li'), document.activeElement]
  const record = await recordOf(link)
  const isStill = isHover ? from.matches(':hover') && !$(':popover-open:not(.card)') : focused === document.activeElement
  if (mine !== turn || !isStill || !link.isConnected) return
  clearTimeout(timer)
  if (card.contains(document.activeElement)) link.focus({ preventScroll: true })
  fill(link, record)
  ;[source, item] = [link, isHover && from]
  if (!card.matches(':popover-open')) card.showPopover()
  put(link, from)
  if (!isHover) card.focus({ preventScroll: true })
}

document.addEventListener('pointerover', ({ target }) => {
  if (!item) return
  clearTimeout(timer)
  if (!item.contains(target) && !card.contains(target)) timer = setTimeout(() => card.contains(document.activeElement) || card.hidePopover(), LEAVE)
})

card.addEventListener('beforetoggle', ({ newState }) => {
  if (newState === 'open') return
  turn++
  item = null
  if (card.contains(document.activeElement)) source.focus({ preventScroll: true })
})

// Beyond its last link the page goes on behind the name, and before its first at the name.
card.addEventListener('keydown', (event) => {
  if (event.key !== 'Tab') return
  const stops = $$('a, button', card)
  const isBack = event.shiftKey && [card, stops[0]].includes(event.target)
  if (!isBack && (event.shiftKey || event.target !== stops.at(-1))) return
  if (isBack) event.preventDefault()
  card.hidePopover()
})
