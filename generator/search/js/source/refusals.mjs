// Refusals whose text depends on the files of the registry.
import { jsonOf } from './bytes.mjs'
import { Unfolded, runsOf } from './folding.mjs'
import { near, nearestOfEach } from './nearest.mjs'
import { fill, formsOf, problem, sourcesOf } from './route.mjs'

// Maximum queries tried for a slug whose words find nothing.
const TRIED = 2

export function pastTheEnd(page, pages, table) {
  return problem(table, 'not-found', `There is no page ${page}: the list has ${pages} page${pages === 1 ? '' : 's'}.`)
}

// That no record has any of these values, without a full stop.
export function withoutRecords(kind, filter, values) {
  const quoted = values.map((value) => `"${value}"`)
  const last = quoted.pop()
  return `No ${kind} has the ${filter} ${quoted.length ? `${quoted.join(', ')} or ` : ''}${last}`
}

export function unknownValues(collection, filter, values, table) {
  const list = table.lists.find(({ name }) => name === collection)
  const isListed = !table.terse && !table.unlisted.includes(formsOf(list, table)[filter]) && sourcesOf(filter, table)[0] === filter
  const where = isListed ? `; ${table.prefix}${list.root}${fill(table.files.values, { filter })} lists its values` : ''
  const refused = problem(table, 'not-found', `${withoutRecords(table.kinds[collection], filter, values)}${where}.`)
  return { ...refused, about: [collection, filter, values] }
}

// Add the nearest values as `allowed` to a refusal of values of a filter; `read(path)` gives the bytes of a file.
export async function withNear(refused, read, table) {
  if (!refused.about) return refused
  const [collection, filter, values] = refused.about
  const list = table.lists.find(({ name }) => name === collection)
  if (table.unlisted.includes(formsOf(list, table)[filter])) return refused
  return withAllowed(refused, async () => {
    const known = []
    for (const source of sourcesOf(filter, table)) {
      const bytes = await read(list.root + fill(table.files.values, { filter: source }))
      known.push(...jsonOf(bytes).data.values)
    }
    return nearestOfEach(values.map(decoded), known.map((one) => [one.value, one.label]), table)
  })
}

// Add what `find` finds, if that is anything; a refusal without it is right, too.
async function withAllowed(refused, find) {
  try {
    const allowed = await find()
    return allowed.length ? { ...refused, allowed } : refused
  } catch (error) {
    if (error instanceof Unfolded) throw error
    return refused
  }
}

// Add near slugs to a refusal of an unknown slug: slugs of records with its words, else of records that the suggestions
// find, or a single word. `ask(query)` gives the list document of a query, as `search` does.
export async function withNearSlugs(refused, list, slug, ask, table) {
  const asked = runsOf(slug.replace(/-/g, ' '), table)
  if (!asked.length || asked.length > table.text.words) return refused
  const listed = async (q) => {
    const query = { collection: list.name, mode: 'page', filters: {}, q, sort: '', order: 'relevance', page: 1 }
    return jsonOf((await ask(query)).body)
  }
  return withAllowed(refused, async () => {
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

export function unavailable(detail, table) {
  return { ...table.unavailable, detail }
}

export function damaged(how, table) {
  const onward = 'If it is not being published right now, build and publish it again.'
  return unavailable(`The search index is damaged: ${how}. ${onward}`, table)
}
