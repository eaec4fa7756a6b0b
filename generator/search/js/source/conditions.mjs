// The conditions of a query: one for each filter and each word.
import { constraint } from './asked.mjs'
import { Column } from './columns.mjs'
import { singularsOf, wordsOf } from './folding.mjs'
import { find, pagesKey, postings, seek, seeksOf } from './keys.mjs'
import { unknownValue } from './refusals.mjs'
import { fill, formsOf } from './route.mjs'

// The first character of keys that stand for all words with a prefix.
const BEGUN = '*'.charCodeAt(0)

// The conditions of a query. The keys in `seeks` and the `files` of each have to be read; then `meet()` sets `marks` to a
// number other than 0 for each record that meets the condition, and `met` to their positions in any order.
export function conditionsOf(reader) {
  const { query, list, table } = reader
  const words = query.q === null ? [] : [...new Set(wordsOf(query.q, table))]
  const forms = formsOf(list, table)
  const filters = Object.entries(query.filters).map(([name, text]) => {
    const asked = list.fixed[name] ? { how: 'any', values: [text] } : constraint(name, forms[name], text, table)
    const Kind = asked.how === 'range' || table.unprepared.includes(forms[name]) ? OfColumn : OfKeys
    return new Kind(name, asked, reader)
  })
  return [...filters, ...ofWords(words, reader)]
}

// Conditions for some different words.
export function ofWords(words, reader) {
  const named = new Uint8Array(reader.manifest.count)
  return words.map((word, i) => new OfWord(word, i, words.length, named, reader))
}

// How many conditions each record meets. Other keys and files are read in the same round, and with `rows` the blocks.
export async function meeting(conditions, keys, files, reader, rows = false) {
  const seeks = [...conditions.flatMap((condition) => condition.seeks), ...keys]
  const shards = [...new Set(seeks.map(({ shard }) => shard))]
  const wanted = [...shards.map((shard) => ['keys', shard]), ...conditions.flatMap((condition) => condition.files), ...files]
  await reader.fetch(rows || shards.length ? [...wanted, ['blocks', 0]] : wanted)
  for (const shard of shards) {
    find(reader.have('keys', shard), seeks.filter((seek) => seek.shard === shard))
    reader.inTime()
  }
  const met = new Uint16Array(reader.manifest.count)
  for (const condition of conditions) {
    condition.meet()
    for (const p of condition.met) met[p]++
    reader.inTime()
  }
  return met
}

class OfFilter {
  constructor(name, { how, values, low, high }, reader) {
    const marks = new Uint8Array(reader.manifest.count)
    Object.assign(this, { name, how, values, low, high, reader, marks, met: [], seeks: [], files: [] })
  }

  meet() {
    const { how, marks, met } = this
    const values = this.values ?? [null]
    const least = how === 'all' ? values.length : 1
    // Each value is met once by a record: a record meets all values with the last of them.
    const visit = (p, i) => {
      if (how === 'all' ? marks[p] !== i : marks[p]) return
      marks[p]++
      if (marks[p] === least) met.push(p)
    }
    values.forEach((_, i) => this.each(i, (p) => visit(p, i)))
    if (how === 'not') {
      this.met = []
      for (let p = 0; p < marks.length; p++) {
        marks[p] = !marks[p]
        if (marks[p]) this.met.push(p)
      }
    } else if (least > 1) {
      marks.fill(0)
      for (const p of met) marks[p] = 1
    }
  }
}

// A filter whose values have keys.
class OfKeys extends OfFilter {
  constructor(name, asked, reader) {
    super(name, asked, reader)
    this.keys = this.values.map((value) => fill(reader.table.index.key, { filter: name, value }))
    this.seeks = [...this.keys, ...this.keys.map(pagesKey)].map((key) => seek(key, reader))
  }

  // Calls `visit(position)` for the records with a value.
  each(i, visit) {
    const { name, values, reader } = this
    const [body] = this.seeks[i].bodies
    if (!body) throw unknownValue(reader.query.collection, name, values[i], reader.table)
    postings(body[0], reader, (p, level) => level || visit(p))
  }

  // The prepared pages of the values, as sources of rows.
  lists() {
    const { name, how, values, reader, keys } = this
    if (how === 'not') return []
    return values.map((value, i) => {
      const met = values.length > 1 ? new Set() : this.met
      if (values.length > 1) this.each(i, (p) => met.add(p))
      const { fixed, root } = reader.list
      const path = fixed[name] ? fixed[name].file : root + fill(reader.table.files.by, { filter: name, value, page: ':page' })
      return { path, pages: this.seeks[keys.length + i], met: Uint32Array.from(met).sort() }
    })
  }
}

// A filter that is read from its column.
class OfColumn extends OfFilter {
  constructor(name, asked, reader) {
    super(name, asked, reader)
    this.column = new Column(name, reader)
    this.files = [this.column.listed, ...this.column.files()]
  }

  each(i, visit) {
    const { low, high, values, column } = this
    if (values) column.between(values[i], values[i], visit)
    else column.between(low, high, visit)
  }
}

// A word; `marks` has its worth in each record. `named` counts for each record how many of the words up to this one are in
// its name, if the name has as many words as the query.
class OfWord {
  constructor(word, place, words, named, reader) {
    const { count, language } = reader.manifest
    Object.assign(this, { place, words, named, reader, marks: new Uint8Array(count), met: [], files: [] })
    const singulars = /^en(-|$)/.test(language) ? singularsOf(word) : []
    this.own = seeksOf(word, reader)
    this.seeks = [...this.own, ...singulars.map((one) => seek(one, reader))]
  }

  meet() {
    const { marks, met, named, place, words, reader, own } = this
    const { index } = reader.table
    for (const one of this.seeks) {
      for (const [body, itself] of one.bodies) {
        const whole = itself && one.key[0] !== BEGUN
        const worths = whole ? index.whole : index.begun
        const name = whole && own.includes(one) ? index.named + words - 1 : -1
        postings(body, reader, (p, level) => {
          if (marks[p] < worths[level]) {
            if (!marks[p]) met.push(p)
            marks[p] = worths[level]
          } else if (level === name && named[p] === place) named[p]++
        })
      }
    }
  }
}
