// Refusals that take a look at what is there.
import { nearest } from './nearest.mjs'
import { fill, formsOf, problem } from './route.mjs'

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
export async function withNear(found, read, table) {
  if (!found.about) return found
  const [collection, filter, value] = found.about
  const list = table.lists.find(({ name }) => name === collection)
  if (table.unprepared.includes(formsOf(list, table)[filter])) return found
  try {
    const bytes = await read(list.root + fill(table.files.values, { filter }))
    const { data } = JSON.parse(new TextDecoder().decode(bytes))
    const near = nearest(decoded(value), data.values.map((one) => [one.value, one.label]), table)
    return near.length ? { ...found, allowed: near } : found
  } catch {
    return found
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
  const onward = 'Unless it is being published just now, build and publish it again.'
  return unavailable(`The search index is damaged: ${how}. ${onward}`, table)
}
