// The conditions of a query: one for each filter and each word.
import { constraint } from './asked.mjs'
import { Column } from './columns.mjs'
import { foldName, queryWordsOf, singularsOf } from './folding.mjs'
import { find, nameSeek, pagesKey, postings, seek, seeksOf } from './keys.mjs'
import { unknownValues } from './refusals.mjs'
import { fill, formsOf, sourcesOf } from './route.mjs'

// The first character of keys that stand for all words with a prefix.
const BEGUN = '*'.charCodeAt(0)

// The conditions of a query. The keys in `seeks` and the `files` of each have to be read; then `meet()` sets `marks` to a
// number other than 0 for each record that meets the condition, and `met` to their positions in any order.
export function conditionsOf(reader) {
  const { query, list, table } = reader
  const words = query.q === null ? [] : [...new Set(queryWordsOf(query.q, table))]
  const forms = formsOf(list, table)
  const filters = Object.entries(query.filters).map(([name, text]) => {
    const asked = list.fixed[name] ? [{ how: 'any', values: [text] }] : constraint(name, forms[name], text, table).conditions
    const isColumn = ({ how }) => how === 'range' || table.unlisted.includes(forms[name])
    const conditions = asked.map((one) => new (isColumn(one) ? OfColumn : OfKeys)(name, one, reader))
    return conditions.length > 1 ? new OfSeveral(name, conditions) : conditions[0]
  })
  const asked = ofWords(words, reader)
  if (asked.length) asked[0].seekName(query.q)
  return [...filters, ...asked]
}

// Conditions for some different words.
export function ofWords(words, reader) {
  const counted = () => new Uint8Array(reader.manifest.count)
  const named = { same: counted(), written: counted(), split: counted() }
  return words.map((word, i) => new OfWord(word, i, words.length, named, reader))
}

// The shards with the keys of conditions, and other keys.
const shardsOf = (conditions, keys) => [...new Set([...conditions.flatMap(({ seeks }) => seeks), ...keys].map(({ shard }) => shard))]

// The number of reads of `meeting` for words.
export const readsOf = (words) => shardsOf(words, []).length

// The positions of the records that meet all conditions, ascending; `met` is how many each record meets.
export function meetingAll(conditions, met) {
  const [fewest] = conditions.map((condition) => condition.met).sort((a, b) => a.length - b.length)
  const candidates = fewest ?? Uint32Array.from(met, (_, p) => p)
  return candidates.filter((p) => met[p] === conditions.length).sort()
}

// How many conditions each record meets. Other keys and files are read in the same round.
export async function meeting(conditions, keys, files, reader) {
  const seeks = [...conditions.flatMap((condition) => condition.seeks), ...keys]
  const shards = shardsOf(conditions, keys)
  await reader.fetch([...shards.map((shard) => ['keys', shard]), ...conditions.flatMap((condition) => condition.files), ...files])
  for (const shard of shards) {
    find(reader.have('keys', shard), seeks.filter((seek) => seek.shard === shard))
    reader.inTime()
  }
  const met = new Uint16Array(reader.manifest.count)
  for (const condition of conditions) {
    condition.meet()
    condition.met = Uint32Array.from(condition.met) // four bytes a number, not sixteen
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
    this.sources = sourcesOf(name, reader.table)
    this.keys = this.values.flatMap((value) => this.sources.map((filter) => fill(reader.table.index.key, { filter, value })))
    this.seeks = [...this.keys, ...this.keys.map(pagesKey)].map((key) => seek(key, reader))
  }

  meet() {
    const { name, values, reader } = this
    const unknown = values.filter((_, i) => !this.found(i).length)
    if (unknown.length) throw unknownValues(reader.query.collection, name, unknown, reader.table)
    super.meet()
  }

  // The entries of a value.
  found(i) {
    const { seeks, sources } = this
    return seeks.slice(i * sources.length, (i + 1) * sources.length).flatMap(({ bodies }) => bodies.slice(0, 1))
  }

  // Calls `visit(position)` for the records with a value.
  each(i, visit) {
    for (const [body] of this.found(i)) postings(body, this.reader, (p, level) => level || visit(p))
  }

  // The prepared pages of the values, as sources of rows.
  lists() {
    const { name, how, values, reader, keys, sources } = this
    if (how === 'not' || sources[0] !== name) return []
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

// Several conditions of a filter, `parts`, which a record has to meet all.
class OfSeveral {
  constructor(name, parts) {
    const all = (key) => parts.flatMap((part) => part[key])
    Object.assign(this, { name, how: 'several', parts, seeks: all('seeks'), files: all('files') })
  }

  meet() {
    for (const part of this.parts) part.meet()
    this.marks = this.parts.map(({ marks }) => marks).reduce((both, marks) => both.map((mark, p) => mark && marks[p]))
    this.met = this.parts[0].met.filter((p) => this.marks[p])
  }

  lists() {
    return this.parts.flatMap((part) => part.lists?.() ?? [])
  }
}

// A word; `marks` has its worth in each record. `named` counts for each record how many of the words up to this one are in
// its name, as written and split at capitals, if that has as many words as the query; `named.same` marks the names that are
// written as the query is.
class OfWord {
  constructor(word, place, words, named, reader) {
    const { count, language } = reader.manifest
    Object.assign(this, { place, words, named, reader, marks: new Uint8Array(count), met: new Uint32Array(count), files: [] })
    this.own = seeksOf(word, reader)
    this.found = [...this.own, ...singularsOf(word, language).map((one) => seek(one, reader))]
    this.seeks = [...this.found]
  }

  // Look also for the names that are written as the query is; this is its first word.
  seekName(q) {
    this.name = nameSeek(foldName(q, this.reader.table), this.own[0])
    this.seeks.push(this.name)
  }

  meet() {
    const { marks, met, named, place, words, reader, own } = this
    let size = 0
    const { index } = reader.table
    const { written, split } = named
    for (const [body] of this.name?.bodies ?? []) postings(body, reader, (p, level) => level || (named.same[p] = 1))
    for (const one of this.found) {
      for (const [body, itself] of one.bodies) {
        const whole = itself && one.key[0] !== BEGUN
        const worths = whole ? index.whole : index.begun
        const after = whole && own.includes(one) && words <= index.names ? words - 1 : -index.levels
        postings(body, reader, (p, level) => {
          if (marks[p] < worths[level]) {
            if (!marks[p]) met[size++] = p
            marks[p] = worths[level]
          } else if (level === index.written + after && written[p] === place) written[p]++
          else if (level === index.split + after && split[p] === place) split[p]++
        })
        reader.inTime()
      }
    }
    this.met = met.subarray(0, size)
  }
}
