// What is known of the values of a list's filters, read when it is first needed.
import { jsonOf } from '../bytes.mjs'
import { runsOf } from '../folding.mjs'
import { closest, ownName } from '../more/nearest.mjs'
import { placeNamed } from '../more/places.mjs'
import { fill, formsOf, isOf, sourcesOf } from '../route.mjs'
import { endOf } from './values.mjs'

export class Known {
  // `read(path)` gives the bytes of a file, or null.
  constructor(list, read, table) {
    Object.assign(this, { list, read, table, forms: formsOf(list, table), files: new Map() })
  }

  // The names of all filters.
  get filters() {
    return Object.keys(this.forms).filter((name) => this.forms[name])
  }

  isListed(filter) {
    return !this.table.unlisted.includes(this.forms[filter])
  }

  // A text as values and labels are compared: "san-francisco" of "San Francisco".
  key(text) {
    return runsOf(text, this.table).join('-')
  }

  async data(path) {
    if (!this.files.has(path)) {
      const bytes = await this.read(this.list.root + path)
      this.files.set(path, bytes ? jsonOf(bytes).data : null)
    }
    return this.files.get(path)
  }

  // The [value, label] pairs of a filter, the most frequent first.
  async values(filter) {
    const found = []
    for (const source of sourcesOf(filter, this.table)) {
      const data = await this.data(fill(this.table.files.values, { filter: source }))
      for (const { value, label } of data?.values ?? []) found.push([value, label])
    }
    return found
  }

  // The value of a filter that a text names: { value, isSame }, where isSame says that it is its value or its label; null if
  // there is none, { value: null } if it is known that no record has it.
  async value(text, filter) {
    const form = this.forms[filter]
    if (form in this.table.ranged) text = endOf(text, form, true) ?? text
    if (!this.isListed(filter)) return isOf(form, text, this.table) ? { value: text, isSame: true } : null
    const values = await this.values(filter)
    const same = form in this.table.ranged && /[<>=+]/.test(text) ? undefined : this.same(text, values, filter)
    if (same) return { value: same, isSame: true }
    if (this.table.index.placed[this.list.name].includes(filter)) {
      const place = (await this.inside(text, values, filter)) ?? (await placeNamed(text, this.read, this.table))
      if (place) return { value: values.some(([value]) => value === place.value) ? place.value : null, isSame: true }
    }
    if (form in this.table.ranged) return isOf(form, text, this.table) ? { value: null } : null
    const nearest = closest(text, values, this.table)
    return nearest === undefined ? null : { value: nearest, isSame: false }
  }

  // The place that a text like "Paris, France" names; undefined if there is none.
  async inside(text, values, filter) {
    const [first, ...others] = text.split(',')
    const last = others.pop()?.trim()
    const outer = last && (await this.value(last, filter))
    const within = outer?.isSame ? values.filter(([value]) => value.startsWith(`${outer.value}-`)) : []
    const value = within.length ? this.same(first, [...within, ...values.filter(([value]) => value === outer.value)], filter) : undefined
    return value && { value }
  }

  // The first value that is a text, or has it as its label or another word, in the singular or the plural, or shortened like
  // W21.
  same(text, values, filter) {
    const key = this.key(text)
    if (!key) return undefined
    const labels = new Set(values.map(([, label]) => label))
    const known = values.map(([value, label]) => [value, this.key(value), this.key(ownName(label, labels))])
    const first = (is) => known.find(([, value, label]) => is(value) || is(label))?.[0]
    const [, letter, year] = /^([a-z])-?(?:20)?([0-9]{2})$/.exec(key) ?? []
    const isSeason = (other) => new RegExp(`(^|-)${letter}[a-z]+-20${year}$`).test(other)
    const also = Object.entries(this.table.index.values[this.list.name][filter] ?? {}).find(([, words]) => words.split(' ').includes(key))
    const found = first((other) => other === key) ?? first((other) => singular(other) === singular(key)) ?? (letter && first(isSeason))
    return found ?? (also && first((other) => other === also[0]))
  }

  // The filters among the most frequent values of which, in all of a list, one is a text, as [filter, value].
  async filtersWith(text) {
    const data = (await this.data(this.table.files.filters)) ?? {}
    return Object.entries(data).flatMap(([filter, { values }]) => {
      const same = filter in this.forms && this.same(text, values.map(({ value, label }) => [value, label]), filter)
      return same ? [[filter, same]] : []
    })
  }
}

export const singular = (key) => (key.length > 3 ? key.replace(/ies$/, 'y').replace(/(ch|sh|s|x|z)es$/, '$1').replace(/([^s])s$/, '$1') : key)
