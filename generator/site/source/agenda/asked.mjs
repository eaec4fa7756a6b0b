// What is asked of a list of dates: { q, filters, others, page } as lists have it (list/state.mjs); `scope` is the list itself.
import { told } from '../common.mjs'
import { joined, words as pairsOf } from '../list/state.mjs'

export const FILTERS = told.filters.map(({ name }) => name)
const scope = [...Object.entries(told.feeds.of), ...(told.upcoming ? [['upcoming', 'true']] : [])]
export const scoped = (asked) => ({ ...asked, others: scope })

export function read() {
  const asked = new URLSearchParams(location.search)
  const filters = Object.fromEntries(FILTERS.flatMap((name) => (asked.get(name) ? [[name, asked.get(name)]] : [])))
  return { q: asked.get('q') ?? '', filters, others: [], page: 1 }
}

export const query = (asked) => joined(pairsOf(asked)).replace(/^(?=.)/, '?')
