// The form of documents as far as tools rely on it. Files come from the host itself, but one may be damaged.
import { isObject, isText } from './texts.mjs'

// Examples by kind: of an object its keys, of a list its items, of a function what it accepts. Other keys may have anything.
const each = (like) => (value) => isObject(value) && Object.values(value).every((one) => isLike(one, like))
const VALUES = [{ value: '', label: '', count: 0 }]
const RECORD = { data: { slug: '' } }
const LIST = { links: { self: '' }, query: {}, page: { size: 1, total_items: 0, total_pages: 1 }, data: [{ slug: '' }] }
const FILTER = { label: '', total_values: 0, values: VALUES }
const KNOWN_VALUES = [{ value: '', count: 0 }]
const SHAPES = {
  moved: { data: { replaced_by: '' } },
  filter: { data: FILTER },
  filter_list: { data: each(FILTER) },
  dashboard: { data: { top_programs: [{ slug: '' }] } },
  agent_catalog: {
    data: { freshness: {}, datasets: [{ name: '', count: 0, sorts: [''], filters: [{ name: '', total_values: 0, values: KNOWN_VALUES }] }] },
  },
  agent_schema: { data: { kinds: [{}] } },
  agent_tools: { data: { tools: [{ name: '', input: { properties: {} } }] } },
  manifest_root: { bits: 0, snapshot: { sha256: '' } },
}

// The most levels of a document, as generator/reader/documents.py reads it.
const DEPTH = 32

// Whether a document has the form of its kind. A kind of records is one of `kinds`.
export function hasItsForm(document, kinds) {
  const { kind } = document
  if (!isText(kind)) return false
  const shape = Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : kinds.includes(kind) ? RECORD : kinds.includes(kind.replace(/_list$/, '')) ? LIST : {}
  return isLike(document, shape) && isWithin(document, DEPTH)
}

// Whether a value nests at most so many levels.
const isWithin = (value, levels) =>
  typeof value !== 'object' || value === null || (levels > 0 && Object.values(value).every((one) => isWithin(one, levels - 1)))

function isLike(value, like) {
  if (typeof like === 'function') return like(value)
  if (Array.isArray(like)) return Array.isArray(value) && value.every((one) => isLike(one, like[0]))
  if (isObject(like)) return isObject(value) && Object.entries(like).every(([key, one]) => isLike(value[key], one))
  return typeof like === 'string' ? isText(value) : Number.isSafeInteger(value) && value >= like
}
