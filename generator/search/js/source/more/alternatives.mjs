// Alternatives from the index to a query that finds nothing: similar queries that find records. First the query with words
// as filters, then with one filter left out, then with a twin of a tag, then with one word changed.
import { Column } from '../columns.mjs'
import { meeting } from '../conditions.mjs'
import { wordsOf } from '../folding.mjs'
import { postings, seek } from '../keys.mjs'
import { fill, formsOf } from '../route.mjs'
import { withWordsAsFilters } from './phrases.mjs'
import { marksOf, suggested, withinBounds } from './suggested.mjs'
import { synonymsOf } from './synonyms.mjs'

// Maximum alternatives.
const MOST = 5

// Alternatives to a query whose conditions no record meets, as { q, filters, total }; `met` is how many each record meets,
// `suggestions` are those for its words if they are known. Alternatives whose files would exceed the bounds of a query are
// left out.
export async function alternatives(conditions, met, suggestions, reader) {
  const { q } = reader.query
  const found = q === null ? [] : await withinBounds(() => withWordsAsFilters(conditions, reader))
  found.push(...withoutAFilter(conditions, met, reader).slice(0, MOST - found.length))
  if (found.length < MOST) found.push(...(await withinBounds(() => withTwins(conditions, met, reader))))
  if (found.length < MOST && q !== null) {
    const meant = suggestions ?? (await suggested(conditions, reader))
    found.push(...(await withinBounds(() => withAChangedWord(meant, MOST - found.length, reader))))
  }
  return found.slice(0, MOST)
}

// How many records meet all conditions but this one, and `has(p)`.
function totalWithout(condition, conditions, met, has) {
  let total = 0
  for (let p = 0; p < met.length; p++) {
    if (met[p] - (condition.marks[p] ? 1 : 0) === conditions.length - 1 && has(p)) total++
  }
  return total
}

function withoutAFilter(conditions, met, { query: { q, filters } }) {
  return conditions
    .filter(({ name }) => name in filters)
    .map((condition) => {
      const { [condition.name]: _, ...others } = filters
      return { q, filters: others, total: totalWithout(condition, conditions, met, () => true) }
    })
    .filter(({ total }) => total)
}

// The query with one tag replaced by the same word in another family, or by a spelling of it.
async function withTwins(conditions, met, reader) {
  const { query, table, list } = reader
  const families = table.tags.map((family) => `tag_${family}`)
  const asked = conditions.filter(({ name, how }) => families.includes(name) && (how === 'any' || how === 'all'))
  if (!asked.length) return []
  const names = (list.tagged ? families : []).filter((family) => !(family in query.filters) || asked.some(({ name }) => name === family))
  const twins = twinsOf(asked, await tagsByCount(names, reader)).slice(0, table.asked.values)
  const seeks = twins.map(({ family, twin }) => seek(fill(table.index.key, { filter: family, value: twin }), reader))
  if (twins.length) await meeting([], seeks, [], reader)
  const found = new Map()
  twins.forEach((twin, i) => {
    const { condition } = twin
    const having = new Uint8Array(met.length)
    for (const [body] of seeks[i].bodies) postings(body, reader, (p, level) => level || (having[p] = 1))
    const rest = condition.values.filter((value) => value !== twin.tag)
    let wanted = 1
    if (condition.how === 'all') {
      wanted += rest.length
      for (const value of rest) condition.each(condition.values.indexOf(value), (p) => having[p]++)
    }
    const total = totalWithout(condition, conditions, met, (p) => having[p] === wanted)
    const filters = replaced(twin, rest, reader)
    if (total) found.set(JSON.stringify(filters), { q: query.q, filters, total })
  })
  return [...found.values()]
}

// By filter, the tags that any record has, by count and then by value.
async function tagsByCount(names, reader) {
  const columns = names.map((name) => new Column(name, reader))
  await reader.fetch(columns.map(({ listed }) => listed))
  const tags = (column) => column.lines().filter(([, , count]) => count).sort((a, b) => b[2] - a[2] || (a[0] < b[0] ? -1 : 1))
  return new Map(columns.map((column) => [column.name, tags(column).map(([tag]) => tag)]))
}

// For each tag that is asked for the same tag of other families, then spellings of it in its own family, then in the
// others, as { condition, tag, family, twin }.
function twinsOf(asked, tags) {
  const others = [...tags.keys()].filter((family) => !asked.some(({ name }) => name === family))
  return asked.flatMap((condition) =>
    condition.values.flatMap((tag) => {
      const pairs = (family, twins) => twins.map((twin) => ({ condition, tag, family, twin }))
      const same = others.flatMap((family) => pairs(family, tags.get(family).filter((other) => other === tag)))
      const spelled = [condition.name, ...others].flatMap((family) => pairs(family, synonymsOf(tag, tags.get(family))))
      return [...same, ...spelled].filter(({ family, twin }) => family !== condition.name || !condition.values.includes(twin))
    }),
  )
}

// The filters of the query with a twin in place of a tag. If the twin is of another family, the other tags of `any` are
// left out: they find nothing.
function replaced({ condition: { name, how }, family, twin }, rest, { query, table, list }) {
  const { [name]: _, ...filters } = query.filters
  const changed = { [name]: family === name || how === 'all' ? [...rest] : [] }
  changed[family] = [...(changed[family] ?? []), twin]
  for (const [key, values] of Object.entries(changed)) {
    const text = values.sort().join(',')
    if (values.length) filters[key] = how === 'all' && values.length > 1 ? `all:${text}` : text
  }
  const inOrder = Object.keys(formsOf(list, table)).filter((key) => key in filters)
  return Object.fromEntries(inOrder.map((key) => [key, filters[key]]))
}

// The query with one word replaced, split, or joined with its neighbour.
async function withAChangedWord(suggestions, most, reader) {
  const { query: { filters }, table } = reader
  const changed = suggestions.filter(({ isOneChange }) => isOneChange).slice(0, most)
  const words = (text) => wordsOf(text, table)
  const unread = words(changed.filter(({ total }) => total === null).map(({ q }) => q).join(' '))
  const having = unread.length ? await marksOf(unread, reader) : null
  return changed.map(({ q, total }) => {
    if (total !== null) return { q, filters, total }
    const every = words(q).map((word) => having.get(word))
    return { q, filters, total: every[0].filter((_, p) => every.every((marks) => marks[p])).length }
  })
}
