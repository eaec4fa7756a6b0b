// The names of parameters that others use, and which of a list's parameters each is.
import { wordsFor } from '../asked.mjs'
import { near } from '../more/nearest.mjs'
import { singular } from './known.mjs'

// Parameter -> other names for it. Some are no parameters, but what query.mjs makes of the name: down, low, high, at, upcoming,
// site and slug.
const OTHERS = {
  q: 'search query keyword term text title name find search_term s',
  sort: 'order order_by orderby sort_by sortby ordering sorting sort_field',
  limit: 'per_page perpage page_size pagesize size count n num take max max_results maxresults result first row item',
  start: 'offset skip cursor start_index startindex start_at starting_after page_token',
  page: 'p pg page_number pagenumber page_no page_num',
  by: 'group_by groupby group facet aggregate aggregation agg breakdown count_by grouped_by',
  fields: 'columns column select field include cols attribute prop projection',
  stat: 'statistic avg average mean median sum metric',
  format: 'output fmt ext',
  mode: 'view action',
  down: 'sort_order sortorder sort_dir sort_direction order_dir direction dir desc descending reverse',
  low: 'since from after start_date date_from from_date starts_after',
  high: 'until before to end_date date_to to_date ends_before till',
  at: 'date on when due deadline opens closes starts ends',
  upcoming: 'future open current next',
  site: 'website domain url homepage web',
  slug: 'slug id',
}
const PARAMETER = new Map(Object.entries(OTHERS).flatMap(([name, others]) => others.split(' ').map((other) => [other, name])))
// Names that an answer does not depend on.
const IGNORED = /^(?:pretty|callback|(?:api_?|access_)?(?:key|token)|lang|locale|utm_.*|v|(?:api_)?version|timestamp|ts|_?|no_?cache|cache|debug|verbose|envelope)$/
const [TAGS, ANY_TAG] = [/^(?:tags|labels?)$/, 'tag']
// How a filter is asked, by words before or behind its name.
const HOW = new Map(
  Object.entries({
    low: 'min from since gte start least',
    above: 'gt over above after',
    high: 'max to until lte end most',
    below: 'lt under below before',
    not: 'not ne neq nin exclude without',
    all: 'all',
    any: 'eq in is contains like any',
  }).flatMap(([how, words]) => words.split(' ').map((word) => [word, how])),
)

// A name as it is compared: tag_topic of "filter[tag-topic][0]".
export const plainName = (text) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .replace(/^(?:filters?|where|f|facets?)_(?=.)/, '')
    .replace(/_[0-9]+$/, '')

// The parameter that a plain name means: { parameter }, { filters, how } with the likeliest filter first, or { ignored };
// null if it is not known. `known` is the Known of the list.
export function parameterOf(name, known) {
  const { forms, table, list } = known
  if (forms[name] || list.fixed[name]) return { filters: [name], how: 'any' }
  if (name in forms || table.rows.includes(name)) return { parameter: name }
  const parameter = PARAMETER.get(name) ?? PARAMETER.get(singular(name))
  if (parameter === 'upcoming') return { filters: Object.keys(list.fixed), how: 'any' }
  if (parameter) return { parameter }
  if (TAGS.test(name) && forms[ANY_TAG]) return { filters: [ANY_TAG], how: 'any' }
  const filters = filtersOf(name, known)
  if (filters.length) return { filters, how: 'any' }
  const words = name.split('_')
  for (const [word, base] of [[words[0], words.slice(1)], [words[words.length - 1], words.slice(0, -1)]]) {
    const of = HOW.has(word) && base.length ? parameterOf(base.join('_'), known) : null
    if (of?.filters) return { ...of, how: HOW.get(word) }
    if (of?.parameter === 'at') return { parameter: { low: 'low', above: 'low', high: 'high', below: 'high' }[HOW.get(word)] ?? 'at' }
  }
  if (IGNORED.test(name)) return { ignored: true }
  const found = near(name, known.filters.map((filter) => [filter, wordsFor(filter, list, table)]), table)
  return found.length ? { filters: found, how: 'any' } : null
}

// The filters that have all words of a name in their own names, their labels or other words for them.
export function filtersOf(name, { filters, list, table }) {
  const asked = name.split('_').map(singular)
  const wordsOf = (filter) => `${filter} ${wordsFor(filter, list, table)}`.toLowerCase().split(/[^a-z0-9]+/).map(singular)
  return filters.filter((filter) => {
    const words = wordsOf(filter)
    return asked.every((word) => words.includes(word))
  })
}
