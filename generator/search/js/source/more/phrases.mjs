// The query with the words that are a value or a label of a filter as that filter: "climate companies in germany" with
// tag_topic=climate and location=de.
import { Column } from '../columns.mjs'
import { meeting } from '../conditions.mjs'
import { queryRunsOf, queryWordsOf, runsOf, singularsOf, wordsOfRun } from '../folding.mjs'
import { postings, seek } from '../keys.mjs'
import { fill, formsOf, sourcesOf } from '../route.mjs'
import { ownName } from './nearest.mjs'
import { havingOf } from './suggested.mjs'

// Maximum queries, and choices of filters tried for one.
const [MOST, TRIED] = [2, 12]
const EXCLUDED = /(^|\s)(-|NOT\s)/
// Words beside those that say what is looked for.
const LITTLE =
  'a an and are at by for from in is of on or that the to which who with ' +
  'am aus der die das den dem des ein eine für im mit oder und von vom zu zur ' +
  'au aux dans de du en et la le les ou par pour un une y el los las con del para por ' +
  'companies company firms startup startups entreprises firmen unternehmen empresas'

// The query in which phrases became filters; if nothing has all of these, the queries with one of them left out. At most
// MOST, as { q, filters, total }. Words that none of the records have, and little words, are left out. None if a word is
// meant to be excluded.
export async function withWordsAsFilters(conditions, reader) {
  const { query, table, list } = reader
  if (EXCLUDED.test(query.q)) return []
  const asked = queryRunsOf(query.q, table)
  const little = new Set(runsOf(`${LITTLE} ${list.name} ${table.kinds[list.name]}`, table))
  const phrases = chosen(asked, await valuesOf(asked, little, reader))
  const values = phrases.flatMap(({ found }) => found)
  const seeks = values.map(([filter, value]) => seek(fill(table.index.key, { filter, value }), reader))
  if (values.length) await meeting([], seeks, [], reader)
  const having = new Map(values.map((value, i) => [value, marksIn(seeks[i], reader)]))
  const how = asked.includes('or') ? 'any' : 'all'
  const left = asked.filter((run, i) => !little.has(run) && !phrases.some(({ start, end }) => i >= start && i < end))
  const withAll = (some) => {
    const [choice, positions] = best(some, how, having, conditions, reader)
    if (!positions.length) return []
    const [kept, total] = keptOf(left, positions, conditions, reader)
    return [{ q: kept.length ? kept.join(' ') : null, filters: withValues(choice, how, reader), total }]
  }
  const all = phrases.length ? withAll(phrases) : []
  const fewer = phrases.length > 1 ? phrases.map((one) => phrases.filter((other) => other !== one)) : []
  return all.length ? all : fewer.flatMap(withAll).slice(0, MOST)
}

// Of the choices of a filter for each phrase that with most records, as [pairs, positions].
function best(phrases, how, having, conditions, { manifest: { count } }) {
  const others = conditions.filter(({ named }) => !named).map(({ marks }) => marks)
  const choices = phrases.reduce((all, { found }) => all.flatMap((one) => found.map((value) => [...one, value])).slice(0, TRIED), [[]])
  const every = Array.from({ length: count }, (_, p) => p)
  const marksOf = (choice) => [...byFilter(choice, (value) => having.get(value)).values()].flatMap((marks) => (how === 'any' ? [united(marks)] : marks))
  const met = choices.map((choice) => [...others, ...marksOf(choice)].reduce((some, marks) => some.filter((p) => marks[p]), every))
  const place = met.reduce((most, one, i) => (one.length > met[most].length ? i : most), 0)
  return [choices[place], met[place]]
}

// By filter, what `of` gives for each of its values.
function byFilter(pairs, of) {
  const found = new Map()
  for (const pair of pairs) found.set(pair[0], [...(found.get(pair[0]) ?? []), of(pair)])
  return found
}

const united = ([first, ...others]) => first.map((mark, p) => mark || others.some((marks) => marks[p]))

function marksIn({ bodies }, reader) {
  const marks = new Uint8Array(reader.manifest.count)
  for (const [body] of bodies) postings(body, reader, (p, level) => level || (marks[p] = 1))
  return marks
}

// By phrase of the query, the [filter, value] pairs with records whose value or name it is.
async function valuesOf(asked, little, reader) {
  const { query, table, list, manifest } = reader
  const forms = formsOf(list, table)
  const isListed = (name) => forms[name] && !list.fixed[name] && !table.unlisted.includes(forms[name]) && sourcesOf(name, table)[0] === name
  const columns = Object.keys(forms).filter((name) => isListed(name) && !(name in query.filters)).map((name) => new Column(name, reader))
  await reader.fetch(columns.map(({ listed }) => listed))
  const keys = new Map()
  asked.forEach((_, start) => {
    for (let end = asked.length; end > start; end--) {
      const [phrase, last] = [asked.slice(start, end), asked[end - 1]]
      if (end - start === 1 && little.has(last)) continue
      for (const one of [last, ...singularsOf(last, manifest.language)]) keys.set([...phrase.slice(0, -1), one].join('-'), phrase.join('-'))
    }
  })
  const initials = new Set(Array.from(keys.keys(), (key) => key[0]))
  const found = new Map()
  for (const column of columns) {
    const lines = column.lines().filter(([, , count]) => count)
    const labels = new Set(lines.map(([, label]) => label))
    for (const [value, label] of lines) {
      // Most labels are told apart by their first letter; others beyond ASCII have to be folded.
      const may = label.charCodeAt(0) > 127 || initials.has(label[0]?.toLowerCase())
      const key = keys.get(value) ?? (may ? keys.get(runsOf(ownName(label, labels), table).join('-')) : undefined)
      if (key !== undefined) found.set(key, [...(found.get(key) ?? []), [column.name, value]])
    }
  }
  return found
}

// The longest phrases that are values, from the first word on, as { start, end, found }.
function chosen(asked, values) {
  const phrases = []
  for (let start = 0; start < asked.length; start++) {
    for (let end = asked.length; end > start; end--) {
      const found = values.get(asked.slice(start, end).join('-'))
      if (!found) continue
      phrases.push({ start, end, found })
      start = end - 1
    }
  }
  return phrases
}

// The runs that some of the records have together, the rarest first chosen, and how many have them.
function keptOf(runs, positions, conditions, { query, table }) {
  const having = havingOf(queryWordsOf(query.q, table), conditions.filter(({ named }) => named))
  const marksOf = (run) => wordsOfRun(run).map((word) => having.get(word))
  const rarity = new Map(runs.map((run) => [run, marksOf(run)[0].filter((mark) => mark).length]))
  const kept = new Set()
  for (const run of [...runs].sort((a, b) => rarity.get(a) - rarity.get(b))) {
    const some = positions.filter((p) => marksOf(run).every((marks) => marks[p]))
    if (!some.length) continue
    kept.add(run)
    positions = some
  }
  return [runs.filter((run) => kept.has(run)), positions.length]
}

// The filters of the query and others, in canonical order.
function withValues(pairs, how, { query, table, list }) {
  const filters = { ...query.filters }
  for (const [name, values] of byFilter(pairs, ([, value]) => value)) {
    const some = [...new Set(values)].sort()
    filters[name] = `${how === 'all' && some.length > 1 ? 'all:' : ''}${some}`
  }
  return Object.fromEntries(Object.keys(formsOf(list, table)).filter((name) => name in filters).map((name) => [name, filters[name]]))
}
