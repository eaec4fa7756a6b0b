// Refusals whose text depends on the files of the registry.
import { aboutValues, nearSlugs } from './more.mjs'
import { fill, formsOf, nounOf, problem, sourcesOf } from './route.mjs'

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
  const refused = problem(table, 'not-found', `${withoutRecords(nounOf(collection, table), filter, values)}${where}.`)
  return { ...refused, about: [collection, filter, values] }
}

// Add the nearest values as `allowed` to a refusal of values of a filter, or say that they are known; `read(path)` gives the
// bytes of a file.
export async function withNear(refused, read, table) {
  return refused.about ? Object.assign({}, refused, ...(await aboutValues(refused.about, read, table))) : refused
}

// Add near slugs to a refusal of an unknown slug.
export async function withNearSlugs(refused, list, slug, ask, table) {
  return withAllowed(refused, await nearSlugs(list, slug, ask, table))
}

const withAllowed = (refused, allowed) => (allowed.length ? { ...refused, allowed } : refused)

export function unavailable(detail, table) {
  return { ...table.unavailable, detail }
}

export function unread(file, table) {
  return unavailable(`${file} cannot be read, or is from another version.`, table)
}

export function damaged(how, table) {
  const onward = 'If it is not being published right now, build and publish it again.'
  return unavailable(`The search index is damaged: ${how}. ${onward}`, table)
}
