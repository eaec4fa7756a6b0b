// The values of filters and the slugs that are nearest to unknown ones.
import { jsonOf } from '../bytes.mjs'
import { Unfolded, runsOf } from '../folding.mjs'
import { fill, formsOf, nounOf, sourcesOf } from '../route.mjs'
import { near, nearestOfEach } from './nearest.mjs'
import { placeNamed } from './places.mjs'

// Maximum queries tried for a slug whose words find nothing.
const TRIED = 2

// What a refusal of unknown values of a filter says better, as a list of one { detail, allowed } with what there is to say, or
// of none: the nearest values, or that no record has a value that is known. `read(path)` gives the bytes of a file.
export async function aboutValues([collection, filter, values], read, table) {
  const list = table.lists.find(({ name }) => name === collection)
  const form = formsOf(list, table)[filter]
  if (table.unlisted.includes(form)) return []
  return found(async () => {
    const known = []
    for (const source of sourcesOf(filter, table)) {
      const bytes = await read(list.root + fill(table.files.values, { filter: source }))
      known.push(...jsonOf(bytes).data.values.map(({ value, label }) => [value, label]))
    }
    const kind = nounOf(collection, table)
    if (form in table.ranged) return [beside(values, known.map(([value]) => value).sort(), `No ${kind} has the ${filter}`)]
    const asked = values.map(decoded)
    const isPlace = table.index.placed[collection].includes(filter)
    const places = isPlace ? await Promise.all(asked.map((text) => placeNamed(text, read, table))) : []
    const has = (place) => known.some(([value]) => value === place.value)
    const others = asked.filter((_, i) => !places[i])
    const allowed = [...places.filter((place) => place && has(place)).map(({ value }) => value), ...(others.length ? nearestOfEach(others, known, table) : [])]
    const empty = places.filter((place) => place && !has(place)).map(({ value, label }) => `${label} (${value})`)
    const rest = others.length ? `, and none has the ${filter} ${either(others.map((text) => `"${text}"`))}` : ''
    return [{ ...(empty.length ? { detail: `No ${kind} is in ${either(empty)}${rest}.` } : {}), ...(allowed.length ? { allowed } : {}) }]
  })
}

const either = (texts) => [texts.slice(0, -1).join(', '), ...texts.slice(-1)].filter((text) => text).join(' or ')

// The same of valid values that have an order, with the known ones beside the first of them.
function beside(values, known, none) {
  const [first, last] = [known[0], known[known.length - 1]]
  const near = [known.filter((value) => value < values[0]).pop(), known.find((value) => value > values[0])].filter((value) => value)
  const range = first ? `; records have ${first}${first === last ? '' : ` to ${last}`}` : ''
  return { detail: `${none} ${either(values)}. This is a valid value${range}.`, ...(near.length ? { allowed: near } : {}) }
}

// What `find` finds; nothing if it fails: a refusal without it is right, too.
async function found(find) {
  try {
    return await find()
  } catch (error) {
    if (error instanceof Unfolded) throw error
    return []
  }
}

// Slugs near to an unknown one: slugs of records with its words, else of records that the suggestions find, or a single
// word. `ask(query)` gives the list document of a query, as `search` does.
export async function nearSlugs(list, slug, ask, table) {
  const asked = runsOf(slug.replace(/-/g, ' '), table)
  if (!asked.length || asked.length > table.text.words) return []
  const listed = async (q) => {
    const query = { collection: list.name, mode: 'page', filters: {}, q, sort: '', order: 'relevance', page: 1 }
    return jsonOf((await ask(query)).body)
  }
  return found(async () => {
    const first = await listed(asked.join(' '))
    let rows = first.data
    const alone = asked.map((word) => [word, Array.from(word).length]).sort((a, b) => b[1] - a[1])
    const others = [...(first.suggestions ?? []), ...alone.map(([word]) => word)]
    for (const other of others.slice(0, TRIED)) if (!rows.length) rows = (await listed(other)).data
    return near(slug, rows.map((row) => [row.slug, row.name]), table)
  })
}

// A decoded value; a "%" that encodes nothing stays.
export function decoded(value) {
  try {
    return decodeURIComponent(value.replace(/\+/g, ' ').replace(/%(?![0-9A-Fa-f]{2})/g, '%25'))
  } catch {
    return value
  }
}
