// Refusals that take a look at what is there.
import { Unfolded, runsOf } from './folding.mjs'
import { near, nearest } from './nearest.mjs'
import { fill, formsOf, problem } from './route.mjs'

// Queries that are tried for a slug when its words find nothing.
const TRIED = 2

export function pastTheEnd(page, pages, table) {
  return problem(table, 'not-found', `There is no page ${page}: the list has ${pages} page${pages === 1 ? '' : 's'}.`)
}

export function unknownValue(collection, filter, value, table) {
  const list = table.lists.find(({ name }) => name === collection)
  const prepared = !table.unprepared.includes(formsOf(list, table)[filter])
  const values = prepared ? `; ${table.prefix}${list.root}${fill(table.files.values, { filter })} lists its values` : ''
  const refused = problem(table, 'not-found', `No ${table.kinds[collection]} has the ${filter} "${value}"${values}.`)
  return { ...refused, about: [collection, filter, value] }
}

// A refusal with the nearest values in `allowed` where it is about one of a filter; `read(path)` gives the bytes of a file.
export async function withNear(refused, read, table) {
  if (!refused.about) return refused
  const [collection, filter, value] = refused.about
  const list = table.lists.find(({ name }) => name === collection)
  if (table.unprepared.includes(formsOf(list, table)[filter])) return refused
  try {
    const bytes = await read(list.root + fill(table.files.values, { filter }))
    const { data } = JSON.parse(new TextDecoder().decode(bytes))
    const allowed = nearest(decoded(value), data.values.map((one) => [one.value, one.label]), table)
    return allowed.length ? { ...refused, allowed } : refused
  } catch (error) {
    if (error instanceof Unfolded) throw error
    return refused
  }
}

// A refusal of a slug that no record of a list has, with near ones: of records that have its words, or those that are suggested
// in their place, or else one of them.  `ask(query)` gives the list that answers a query, as `search` does.
export async function withNearSlugs(refused, list, slug, ask, table) {
  const asked = runsOf(slug.replace(/-/g, ' '), table)
  if (!asked.length || asked.length > table.text.words) return refused
  const listed = async (q) => {
    const query = { collection: list.name, mode: 'page', filters: {}, q, sort: '', order: 'relevance', page: 1 }
    return JSON.parse(new TextDecoder().decode((await ask(query)).body))
  }
  try {
    const first = await listed(asked.join(' '))
    let rows = first.data
    const alone = asked.map((word) => [word, Array.from(word).length]).sort((a, b) => b[1] - a[1])
    const others = [...(first.suggestions ?? []), ...alone.map(([word]) => word)]
    for (const other of others.slice(0, TRIED)) if (!rows.length) rows = (await listed(other)).data
    const allowed = near(slug, rows.map((row) => [row.slug, row.name]), table)
    return allowed.length ? { ...refused, allowed } : refused
  } catch (error) {
    if (error instanceof Unfolded) throw error
    return refused
  }
}

// A value as it was meant, whichever characters of it are percent-encoded.
function decoded(value) {
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
