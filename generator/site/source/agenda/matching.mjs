// Which rows have what is asked, and how many dates each value of a filter would leave.
import { $ } from '../common.mjs'
import { labelOf } from '../list/labels.mjs'
import { constraint } from '../list/state.mjs'
import { searched, withoutArticles } from '../shared/words.mjs'
import { FILTERS } from './asked.mjs'

const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
export const wordsOf = (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

const values = new Map()
function valuesOf(row) {
  if (!values.has(row)) values.set(row, Object.fromEntries(FILTERS.map((name) => [name, row.dataset[name]?.split(' ') ?? []])))
  return values.get(row)
}

const texts = new Map()
function hasWords(row, wanted) {
  if (!wanted.length) return true
  if (!texts.has(row)) texts.set(row, wordsOf($('.what', row).textContent))
  return wanted.every((word) => texts.get(row).some((one) => one.startsWith(word)))
}

const holds = {
  '': (asked, has) => asked.some((value) => has.includes(value)),
  all: (asked, has) => asked.every((value) => has.includes(value)),
  not: (asked, has) => !asked.some((value) => has.includes(value)),
}

// The filters of a state as [name, how, values], and what each row fails of them; null if it has not the words.
export function failing({ q, filters }) {
  const wanted = wordsOf(withoutArticles(searched(q).q))
  const asked = Object.entries(filters).map(([name, text]) => [name, constraint(text)])
  return (row) => (hasWords(row, wanted) ? asked.filter(([name, { how, values }]) => !(holds[how] ?? holds[''])(values, valuesOf(row)[name])) : null)
}

// How many dates each value would leave: of a filter whose values are alternatives, without that filter.
export function counts(asked, rows) {
  const fails = failing(asked)
  const found = Object.fromEntries(FILTERS.map((name) => [name, new Map()]))
  for (const row of rows) {
    const failed = fails(row)
    if (!failed || failed.length > 1 || failed[0]?.[1].how) continue
    const has = valuesOf(row)
    for (const name of failed.length ? [failed[0][0]] : FILTERS) for (const value of has[name]) found[name].set(value, (found[name].get(value) ?? 0) + 1)
  }
  const sorted = (name) => [...found[name]].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (labelOf(name, a.value) < labelOf(name, b.value) ? -1 : 1))
  return Object.fromEntries(FILTERS.map((name) => [name, { values: sorted(name), total_values: found[name].size, truncated: false }]))
}

// The values of a filter whose labels have words that begin so.
export function like(asked, rows, name, text) {
  const wanted = wordsOf(text)
  const isLike = ({ value }) => wanted.every((word) => wordsOf(labelOf(name, value)).some((one) => one.startsWith(word)))
  return counts(asked, rows)[name].values.filter(isLike)
}
