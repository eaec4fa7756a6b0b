// The values of filters whose labels are the words.
import { ask, el, t, url } from '../common.mjs'
import { CLOSE, fold, wordsOf } from '../shared/marker.mjs'
import { aside, option } from './list.mjs'
import { amount, settings } from './settings.mjs'

// Values that are shown alone; values of different filters that are offered together, and how many such offers are counted
// and shown.
const [VALUES, TOGETHER, COUNTED, PAIRS] = [4, 3, 4, 2]

const values = [] // those of all filters, when they were read
export let reading // of the values
export let isRead = false

export const readValues = () => (reading = Promise.all(Object.keys(settings.collections).map(readOne)).then(() => (isRead = true)))

// Without the values the box finds records alone.
async function readOne(collection) {
  const { values: path } = settings.collections[collection]
  if (!path) return
  const { groups } = await fetch(url(path)).then((answer) => answer.json()).catch(() => ({ groups: [] }))
  groups.forEach(([name, what, own], order) => {
    for (const [value, label, count] of own) values.push({ collection, name, what, value, label, count, order, text: textOf(value, label) })
  })
}

// The words of a value: those of its label, those of the value, and these joined.
const textOf = (value, label) => [label, value, value.replace(/-/g, '')].map((text) => ` ${wordsOf(text).join(' ')}`).join('')

// The values whose words begin with the words: the equal ones first, then the most frequent.
export function valuesOf(q) {
  const wanted = wordsOf(q)
  const isEqual = ({ label }) => wordsOf(label).join() === wanted.join()
  const found = values.filter(({ text }) => wanted.every((word) => text.includes(CLOSE.test(word) ? word : ` ${word}`)))
  const shown = found.map((value) => ({ ...value, isEqual: isEqual(value) }))
  return shown.sort((a, b) => b.isEqual - a.isEqual || b.count - a.count).slice(0, VALUES)
}

export function valueOption({ collection, name, what, value, label, count }, mark) {
  const { root } = settings.collections[collection]
  return option(url(`${root}?${name}=${value}`), el('span.what', {}, el('bdi.name', {}, mark(label))), aside(what, amount(collection, count)))
}

// --- values of several filters ---

// By collection: words that name no value, such as "in" and what the records are called, and by its other words the values.
const phrases = new Map()

function phrasesOf(collection) {
  if (phrases.has(collection)) return phrases.get(collection)
  const { one, many } = settings.collections[collection]
  const little = new Set(wordsOf(`${t('little')} ${one} ${many}`))
  const meant = (text) => wordsOf(text).filter((word) => !little.has(word))
  const known = new Map()
  for (const one of values.filter((value) => value.collection === collection)) {
    for (const phrase of new Set([one.label, one.value].map((text) => meant(text).join(' ')))) {
      if (phrase) known.set(phrase, [...(known.get(phrase) ?? []), one])
    }
  }
  phrases.set(collection, { meant, known })
  return { meant, known }
}

// The ways to read words as values of different filters, each as [value, …]: every word belongs to a value, whose label or
// slug has no other words; the last one may be begun only.
function readings(words, known, most = TOGETHER) {
  if (!words.length) return [[]]
  if (!most) return []
  return words.flatMap((_, i) => {
    const phrase = words.slice(0, i + 1).join(' ')
    const isLast = i === words.length - 1
    const begun = isLast ? [...known].flatMap(([longer, some]) => (longer !== phrase && longer.startsWith(phrase) ? some : [])) : []
    const found = [...(known.get(phrase) ?? []).map((value) => ({ ...value, isEqual: true })), ...begun]
    if (!found.length) return []
    return readings(words.slice(i + 1), known, most - 1).flatMap((more) =>
      found.filter(({ name }) => more.every((other) => other.name !== name)).map((value) => [value, ...more]),
    )
  })
}

// Two or three values of different filters that the words name together, as { collection, parts, href, count, isEqual }: those
// that records have, all of whose words were typed first, then the most frequent; of equal labels one.
export async function pairsOf(q) {
  await reading
  if (wordsOf(q).length < 2) return []
  const least = (parts) => Math.min(...parts.map(({ count }) => count))
  const typed = (parts) => parts.every(({ isEqual }) => isEqual)
  const read = Object.keys(settings.collections).flatMap((collection) => {
    const { meant, known } = phrasesOf(collection)
    return readings(meant(q), known).filter(({ length }) => length > 1)
  })
  read.sort((a, b) => typed(b) - typed(a) || a.length - b.length || least(b) - least(a))
  const counted = await Promise.all(
    read.slice(0, COUNTED).map(async (parts) => {
      const [{ collection }] = parts
      const { api, root } = settings.collections[collection]
      const filters = [...parts].sort((a, b) => a.order - b.order).map(({ name, value }) => `${name}=${value}`).join('&')
      const { total_items: count } = await ask(`${api}?mode=count&${filters}`).catch(() => ({}))
      return { collection, parts, href: url(`${root}?${filters}`), count: count ?? 0, isEqual: typed(parts) }
    }),
  )
  const labels = ({ collection, parts }) => [collection, ...parts.map(({ label }) => fold(label))].join()
  const shown = counted.filter(({ count }) => count).sort((a, b) => b.isEqual - a.isEqual || b.count - a.count)
  return shown.filter((one, i) => shown.findIndex((other) => labels(other) === labels(one)) === i).slice(0, PAIRS)
}

export function pairOption({ collection, parts, href, count }, mark) {
  const names = parts.flatMap(({ label }, i) => [i ? ' · ' : '', el('bdi', {}, mark(label))])
  return option(href, el('span.what', {}, el('span.name', {}, names)), aside(parts.map(({ what }) => what).join(', '), amount(collection, count)))
}
