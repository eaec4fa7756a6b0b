// The rows of a list, of its summaries: the same elements as generator/site/rows.py and templates/site/row.html.j2 make.
import { $, $$, el, number, t, told, url } from '../common.mjs'
import { face } from '../shared/face.mjs'
import { marker } from '../shared/marker.mjs'
import { complete, isKnown, labelOf } from './labels.mjs'

const [NAMED, TAGGED] = [2, 4]

const recordOf = (collection, slug) => url(`${told.roots[collection]}/${slug}/`)
const pageOf = (name, value) => url(`${told.root}${name.replace(/_/g, '-')}/${value}/`)
const link = (name, value) => [labelOf(name, value), pageOf(name, value)]
const count = (collection, number) => (number ? t('count', { count: number, ...told.nouns[collection] }) : '')

// What a record belongs to, as [filter, collection, slug], and its badge: told.row says which fields these are.
const valueOf = (one, path) => path && path.split('.').reduce((value, key) => value[key], one)
const ownersOf = (one) =>
  told.row.owners.flatMap(([path, filter, collection]) => [valueOf(one, path)].flat().filter(Boolean).map((slug) => [filter, collection, slug])).slice(0, NAMED)

function badgeOf(one) {
  const [path, tones, name, field] = told.row.badge
  const value = [valueOf(one, path)].flat()[0]
  if (!value) return ['']
  if (value === true) return [field.label, 'quiet']
  return [field ? (written[field.type] ?? String)(value, field) : labelOf(name, value), tones[value] ?? 'quiet']
}

// Whether the records of a page are of one series, such as the cohorts of a program: their initials would be all alike.
export const areOneSeries = (data) => data.length > 1 && 'parent' in data[0] && new Set(data.map(({ parent, slug }) => parent ?? slug)).size === 1

const tagsOf = ({ tags = {} }) => Object.entries(tags).flatMap(([family, own]) => own.map((tag) => [`tag_${family}`, tag]))

// Families may have tags that are called alike: of those the first.
function unlike(tags) {
  const labels = tags.map((tag) => labelOf(...tag))
  return tags.filter((_, i) => labels.indexOf(labels[i]) === i).slice(0, TAGGED)
}

function places({ locations = [], remote }) {
  const shown = []
  if (locations.length) {
    const { country, region, city, slug } = locations[0]
    const code = country.toLowerCase()
    const [label, to] = link('location', code)
    const where = city || region ? `${city || region}, ${label}` : label
    // The page of a region or a city is that of its country, narrowed (generator/site/paths.py, place_page).
    shown.push([locations.length > 1 ? `${where} +${locations.length - 1}` : where, slug === code ? to : `${to}?location=${slug}`])
  }
  if (remote) shown.push(link('location', 'remote'))
  return shown
}

// A value of an own field in words, as generator/site/fields.py writes it.
export const written = {
  boolean: (value, { values }) => values[value],
  choice: (value, { values }) => values[value] ?? value.replace(/-/g, ' '),
  date: (value, { date, months }) => {
    const [year, month, day] = value.split('-')
    return date.replace(/\{(\w+)\}/g, (_, name) => ({ day: Number(day), month: months[month], year })[name])
  },
  number: (value, { decimal, unit, least = 0 }) => {
    const [whole, fraction] = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }).split('.')
    return number(whole) + (fraction ? decimal + fraction.padEnd(least, '0') : '') + (unit && ` ${unit}`)
  },
  text: (value) => value,
  url: (value) => value.replace(/^\w+:\/\/(www\.)?/, '').replace(/\/$/, ''),
}

// The fields that have no other place in a row, and the own fields that lists show.
function fieldsOf(one) {
  const declared = told.row.fields.map(([name, field]) => [field, one[name]])
  const own = Object.entries(one.fields).flatMap(([key, value]) => (told.fields[key] ? [[told.fields[key], value]] : []))
  return [...declared, ...own].flatMap(([field, value]) => {
    const every = [value].flat().filter((one) => one !== null)
    return every.length ? [[`${field.label}: ${every.map((one) => (written[field.type] ?? String)(one, field)).join(', ')}`, '']] : []
  })
}

// Draws the rows of a list again that wait for labels, when these were read.
export async function labelled(list, q) {
  const waiting = [...list.children].filter((row) => $('[data-of]', row))
  await complete($$('[data-of]', list).map(({ dataset: { of } }) => of.split('/')))
  // Rows that came since then wait for labels of their own.
  for (const row of waiting) {
    if (!row.isConnected) continue
    const focused = row.contains(document.activeElement) && document.activeElement.getAttribute('href')
    const [again] = rows([row.summary], q, true)
    row.replaceWith(again)
    if (focused) $(`a[href="${CSS.escape(focused)}"]`, again)?.focus({ preventScroll: true })
  }
}

// The elements of some summaries, with the words of a query marked.  Labels that are not known are hidden until they were
// read (`labelled`); with `isLast` they are the values spelled out.
export function rows(data, q, isLast = false) {
  const mark = marker(q)
  return data.map((one) => {
    const tags = tagsOf(one)
    const [badge, tone] = badgeOf(one)
    const named = ownersOf(one).map(([name, collection, slug]) => [labelOf(name, slug), recordOf(collection, slug), [name, slug]])
    const counts = told.row.counts.map((name) => count(name, one[name] ?? one.counts[name]))
    const notes = Object.entries({ owners: named, places: places(one), own: fieldsOf(one) }).filter(([, links]) => links.length)
    const linked = ([text, href, of]) => (href ? el('a', { href }, bdi(mark(text), isLast ? null : of)) : bdi(mark(text)))
    const texts = [one.year, counts.filter(Boolean).join(', ')]
    const to = recordOf(told.collection, one.slug)
    const row = el(
      'li',
      {},
      face(one),
      el(
        'div.what',
        {},
        el('a.name', { href: to, dir: 'auto' }, mark(one.name)),
        one.summary && el('p', { dir: 'auto' }, mark(one.summary)),
        notes.length > 0 && el('p.notes', {}, notes.map(([kind, links]) => el(`span.${kind}`, {}, links.map(linked)))),
        tags.length > 0 && el('ul.chips', {}, unlike(tags).map(([name, tag]) => el('li', {}, el('a.chip', { href: pageOf(name, tag) }, bdi(mark(labelOf(name, tag)), isLast ? null : [name, tag]))))),
      ),
      el(
        'div.aside',
        {},
        el('span', { class: tone ? `badge ${tone}` : 'badge' }, badge),
        ['year', 'counts'].map((kind, i) => texts[i] && el(`span.${kind}`, {}, String(texts[i]))),
      ),
    )
    return Object.assign(row, { summary: one })
  })
}

// The label of a value that is not known yet waits for it.
const bdi = (parts, of) => el('bdi', { 'data-of': !!of && !isKnown(...of) && of.join('/') }, parts)
