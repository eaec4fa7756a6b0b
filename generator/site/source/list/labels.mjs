// What filters and their values are called.
import { $, $$, t, told, url } from '../common.mjs'

const known = new Map()
const whole = {}
const { lang } = document.documentElement
const isEnglish = lang.startsWith('en')
let regions // made at its first use, which takes a while
const regionOf = (code) => (regions ??= new Intl.DisplayNames([lang, 'en'], { type: 'region' })).of(code)

const filterOf = (name) => told.filters.find((one) => one.name === name)

// Values as documents have them, which are called so.
export function learn(name, values) {
  for (const { value, label } of values) known.set(`${name}/${value}`, label)
}

// Counts as the API has them by filter, whose labels are known then.
export function learned(counts) {
  for (const name in counts) learn(name, counts[name].values.concat(counts[name].selected ?? []))
  return counts
}

// The counts of a whole collection that are in the page: filter -> { values, total_values, truncated }; null if there are none.
export function countsInPage(place) {
  const found = {}
  for (const group of $$('.group[data-total]', place)) {
    const values = $$('[data-value]', group).map((one) => ({
      value: one.dataset.value,
      label: one.dataset.label ?? $('bdi', one).textContent,
      count: Number($('.count', one).textContent.replace(/\D/g, '')),
    }))
    const total_values = Number(group.dataset.total)
    found[group.id.slice(7)] = { values, total_values, truncated: total_values > values.length }
  }
  return Object.keys(found).length ? learned(found) : null
}

export function labelOf(asked, value) {
  const label = told.words[asked]?.[value] ?? known.get(`${asked}/${value}`)
  const name = filterOf(asked)?.beyond ?? asked
  const code = name === 'location' && /^[a-z]{2}(?=-|$)/.exec(value)?.[0].toUpperCase()
  if (code === value.toUpperCase() && !(label && isEnglish)) return regionOf(code)
  if (!label) return value.replace(/-/g, ' ')
  return code && !isEnglish ? spelled(label, regionOf(code)) : label
}

// A region or a city, which a document calls with its country in English, with the country as the page calls it.
const spelled = (label, country) => (label.endsWith(country) ? label : label.slice(0, label.lastIndexOf(', ') + 2) + country)

// Whether the label of a value is known, or is the value spelled out.
export const isKnown = (name, value) => !filterOf(name)?.named || known.has(`${name}/${value}`)

// Reads what is not known of some [filter, value].
export function complete(wanted) {
  const missing = wanted.filter((one) => !isKnown(...one))
  const names = new Set(missing.map(([name]) => name))
  return Promise.all([...names].map((name) => (whole[name] ??= all(name))))
}

async function all(name) {
  try {
    const answer = await fetch(url(`${told.api}/filters/${name}.json`))
    learn(name, (await answer.json()).data.values)
  } catch {
    whole[name] = null
  }
}

// A constraint in words.
export function constraintText(name, how, values) {
  if (how === 'range') return t(values[0] ? (values[1] ? 'between' : 'from') : 'until', { low: values[0], high: values[1] })
  const shown = values.map((value) => labelOf(name, value)).join(', ')
  return how ? t(how, { values: shown }) : shown
}
