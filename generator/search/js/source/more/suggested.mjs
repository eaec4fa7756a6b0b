// Suggestions from the index for a query that finds nothing: only queries that find a record.
import { meeting, ofWords } from '../conditions.mjs'
import { queryRunsOf, queryWordsOf, runsOf, wordsOf, wordsOfRun } from '../folding.mjs'
import { places, queries, wordsIn } from './suggest.mjs'

// Maximum suggestions, and maximum queries tried.
const [MOST, TRIED] = [5, 12]

// Suggestions for a query whose conditions no record meets, as { q, isOneChange, total }; `total` is null if they find
// records that were not read. None if finding them would exceed the bounds of a query.
export const suggested = (conditions, reader) => withinBounds(() => tried(conditions, reader))

// A list, or an empty one if finding it is refused.
export async function withinBounds(find) {
  try {
    return await find()
  } catch (error) {
    if (error.status === 400) return []
    throw error
  }
}

async function tried(conditions, reader) {
  const { query, table, manifest } = reader
  const runs = (text) => runsOf(text, table)
  const words = (text) => wordsOf(text, table)
  const filters = conditions.filter(({ named }) => !named)
  const of = havingOf(queryWordsOf(query.q, table), conditions.filter(({ named }) => named))
  const asked = queryRunsOf(query.q, table)
  const recordsWith = (run) => {
    const [first, ...others] = wordsOfRun(run).map((word) => of.get(word))
    return first.filter((mark, p) => mark && others.every((marks) => marks[p])).length
  }
  const frequencies = asked.map((run) => 32 - Math.clz32(recordsWith(run)))
  const numbers = [...new Set(asked.flatMap((run) => places(run, manifest.spelled)))]
  await reader.fetch(numbers.map((number) => ['spell', number]))
  const known = wordsIn(numbers.sort((a, b) => a - b).map((number) => reader.have('spell', number)))
  const most = table.text
  const isAllowed = (text) => [...text].length <= most.characters && runs(text).length && runs(text).length <= most.words
  const meant = queries(asked, known, frequencies).filter(isAllowed).slice(0, TRIED)
  // A single known word finds records; several words may have no record in common.
  const isSure = (text) => runs(text).length === 1 && !filters.length
  const several = words(meant.filter((text) => !isSure(text)).join(' '))
  const having = several.length ? await marksOf(several, reader) : null
  const totalOf = (text) => {
    const every = [...filters.map(({ marks }) => marks), ...words(text).map((word) => having.get(word))]
    return every[0].filter((_, p) => every.every((marks) => marks[p])).length
  }
  // Two words without records are two changes, unless they are joined.
  const missing = frequencies.filter((bits) => !bits).length
  const isOneChange = (text) => missing < 2 || runs(text).length < asked.length
  const found = meant.map((q) => ({ q, isOneChange: isOneChange(q), total: isSure(q) ? null : totalOf(q) }))
  return found.filter(({ total }) => total !== 0).slice(0, MOST)
}

// By word, the marks of the records that have it, after reading them.
export async function marksOf(words, reader) {
  const conditions = ofWords([...new Set(words)], reader)
  await meeting(conditions, [], [], reader)
  return havingOf(words, conditions)
}

// By word, the marks of its condition; there is one condition for each different word.
export const havingOf = (words, conditions) => new Map([...new Set(words)].map((word, i) => [word, conditions[i].marks]))
