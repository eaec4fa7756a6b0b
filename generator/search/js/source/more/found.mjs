// The fields in which a record has words of a query, as far as its summary shows.
import { queryWordsOf, singularsOf } from '../folding.mjs'
import { indexWordsOf, nameWordsOf } from './words.mjs'

const itemsOf = (value) => (Array.isArray(value) ? value : [])

// A function of a summary that names the fields with words of the query of a reader.
export function finderOf({ query: { q }, manifest: { language }, table }) {
  const asked = queryWordsOf(q, table).map((word) => [word, singularsOf(word, language), [...word].length >= table.index.prefix])
  const isFound = (known) => asked.some(([word, others, begins]) => known === word || others.includes(known) || (begins && known.startsWith(word)))
  const has = (split, texts) => texts.some((text) => typeof text === 'string' && split(text, table, language).some(isFound))
  return ({ name, former_names: former, summary, locations }) => {
    const places = itemsOf(locations).flatMap((place) => [place?.region, place?.city])
    const known = [
      ['name', nameWordsOf, [name]],
      ['former_names', nameWordsOf, itemsOf(former)],
      ['summary', indexWordsOf, [summary]],
      ['places', indexWordsOf, places],
    ]
    return known.flatMap(([field, split, texts]) => (has(split, texts) ? field : []))
  }
}
