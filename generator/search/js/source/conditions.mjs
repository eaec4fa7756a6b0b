// What a record has to be to match a query: what each filter asks, and each word.
import { constraint } from './asked.mjs'
import { Column } from './columns.mjs'
import { singularsOf, wordsOf } from './folding.mjs'
import { find, pagesKey, postings, seek, seeksOf } from './keys.mjs'
import { unknownValue } from './refusals.mjs'
import { fill, formsOf } from './route.mjs'

// What keys begin with that stand for all words that begin so.
const BEGUN = '*'.charCodeAt(0)

// One for each filter and each word of a query.  Of each `seeks` and `files` are what is to be read; then `meet()` makes `marks`
// other than 0 for each record that meets it.
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

// One for each of some different words.
export function ofWords(words, reader) {
  const named = new Uint8Array(reader.manifest.count)
  return words.map((word, i) => new OfWord(word, i, words.length, named, reader))
}

// Of each record how many conditions it meets.  Keys and files that are needed besides are read in the same round; with `rows`
// what tells where those are, too.
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
    const { marks } = condition
    for (let p = 0; p < met.length; p++) if (marks[p]) met[p]++
    reader.inTime()
  }
  return met
}

class OfFilter {
  constructor(name, { how, values, low, high }, reader) {
    const marks = new Uint8Array(reader.manifest.count)
    Object.assign(this, { name, how, values, low, high, reader, marks, seeks: [], files: [] })
  }

  meet() {
    const { how, marks } = this
    const values = this.values ?? [null]
    values.forEach((_, i) => {
      if (how === 'all') this.each(i, (p) => (marks[p] += marks[p] === i))
      else this.each(i, (p) => (marks[p] = 1))
    })
    const least = how === 'all' ? values.length : 1
    for (let p = 0; p < marks.length; p++) marks[p] = marks[p] >= least === (how !== 'not')
  }
}

// By the keys of the values.
class OfKeys extends OfFilter {
  constructor(name, asked, reader) {
    super(name, asked, reader)
    this.keys = this.values.map((value) => fill(reader.table.index.key, { filter: name, value }))
    this.seeks = [...this.keys, ...this.keys.map(pagesKey)].map((key) => seek(key, reader))
  }

  // Calls `visit(position)` for the records that have a value.
  each(i, visit) {
    const { name, values, reader } = this
    const [body] = this.seeks[i].bodies
    if (!body) throw unknownValue(reader.query.collection, name, values[i], reader.table)
    postings(body[0], reader, (p, level) => level || visit(p))
  }

  // The prepared pages of the values, for rows.
  lists() {
    const { name, how, values, reader, keys } = this
    if (how === 'not') return []
    return values.map((value, i) => {
      const marks = values.length > 1 ? new Uint8Array(this.marks.length) : this.marks
      if (values.length > 1) this.each(i, (p) => (marks[p] = 1))
      const { fixed, root } = reader.list
      const path = fixed[name] ? fixed[name].file : root + fill(reader.table.files.by, { filter: name, value, page: ':page' })
      return { path, pages: this.seeks[keys.length + i], marks }
    })
  }
}

// By the column.
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

// By a word; `marks` has how much it is worth in each record.  `named` has of each record how many of the words before it are
// words of a name that has as many words as the query.
class OfWord {
  constructor(word, place, words, named, reader) {
    const { count, language } = reader.manifest
    Object.assign(this, { place, words, named, reader, marks: new Uint8Array(count), files: [] })
    const singulars = /^en(-|$)/.test(language) ? singularsOf(word) : []
    this.own = seeksOf(word, reader)
    this.seeks = [...this.own, ...singulars.map((one) => seek(one, reader))]
  }

  meet() {
    const { marks, named, place, words, reader, own } = this
    const { index } = reader.table
    for (const one of this.seeks) {
      for (const [body, itself] of one.bodies) {
        const whole = itself && one.key[0] !== BEGUN
        const worths = whole ? index.whole : index.begun
        const name = whole && own.includes(one) ? index.named + words - 1 : -1
        postings(body, reader, (p, level) => {
          if (marks[p] < worths[level]) marks[p] = worths[level]
          else if (level === name && named[p] === place) named[p]++
        })
      }
    }
  }
}
