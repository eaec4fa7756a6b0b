// Refusals that take a look at what is there.
import { fill, problem } from './route.mjs'

export function pastTheEnd(page, pages, table) {
  return problem(table, 'not-found', `There is no page ${page}: the list has ${pages} page${pages === 1 ? '' : 's'}.`)
}

export function unknownValue(collection, filter, value, table) {
  const { root } = table.lists.find(({ name }) => name === collection)
  const values = table.prefix + root + fill(table.files.values, { filter })
  return problem(table, 'not-found', `No ${table.kinds[collection]} has the ${filter} "${value}"; ${values} lists its values.`)
}

export function unavailable(detail, table) {
  return { ...table.unavailable, detail }
}

export function damaged(how, table) {
  const onward = 'Unless it is being published just now, build and publish it again.'
  return unavailable(`The search index is damaged: ${how}. ${onward}`, table)
}
