// Places as a tree, as generator/site/lists.py makes it: countries within continents, regions within countries, cities within both.
import continents from '../../../kinds/continents.json'

const continentOf = new Map(Object.entries(continents).flatMap(([name, codes]) => codes.split(' ').map((code) => [code, name])))

// The roots of some { value, count } with their labels, each { …, label, within }; `labelOf(value)` is the whole label of a place.
export function nested(list, labelOf) {
  const nodes = new Map()
  const add = (one) => nodes.set(one.value, { ...one, whole: labelOf(one.value), within: [] })
  list.forEach(add)
  // The most frequent places can have a city without its country, which is as frequent.
  for (const { value, count } of list) {
    const code = value.split('-')[0]
    if (continentOf.has(code) && !nodes.has(code)) add({ value: code, count })
  }
  const roots = []
  for (const node of nodes.values()) {
    const larger = largerOf(node, nodes)
    node.label = larger && node.whole.endsWith(`, ${larger.whole}`) ? node.whole.slice(0, -larger.whole.length - 2) : node.whole
    ;(larger?.within ?? roots).push(node)
  }
  return roots
}

function largerOf({ value, whole }, nodes) {
  for (let at = value.lastIndexOf('-'); at > 0; at = value.lastIndexOf('-', at - 1)) {
    const larger = nodes.get(value.slice(0, at))
    if (larger && whole.endsWith(`, ${larger.whole}`)) return larger
  }
  return nodes.get(continentOf.get(value.split('-')[0]))
}

// Whether a condition holds for a node, or for one within it.
export const some = (node, holds) => holds(node) || node.within.some((one) => some(one, holds))
