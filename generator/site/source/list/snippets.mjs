// Where a word of a search is in a text that rows do not show: an excerpt of that text.  It is read when nothing else is to be
// done, one file a row, for rows on the screen alone.
import { $, el, told, url } from '../common.mjs'
import { marker } from './rows.mjs'

const AROUND = 70 // characters before a word
const LENGTH = 200
const idle = window.requestIdleCallback ?? ((then) => setTimeout(then, 200))

let watching

// Watches the rows of a list; another list ends it.
export function snippets(list, q) {
  watching?.disconnect()
  const wanted = (q.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map(marker)
  if (!wanted.length) return
  watching = new IntersectionObserver((entries, mine) => {
    for (const { target: row, isIntersecting } of entries) {
      if (!isIntersecting) continue
      mine.unobserve(row)
      row.isSearched = true
      const missing = wanted.filter((mark) => !isMarked(mark, row.textContent))
      if (missing.length) idle(() => row.isConnected && add(row, missing, marker(q)).catch(() => {}))
    }
  })
  for (const row of list.children) if (row.summary && !row.isSearched) watching.observe(row)
}

const isMarked = (mark, text) => mark(text).some((part) => typeof part !== 'string')

async function add(row, missing, mark) {
  const { data } = await (await fetch(url(`${told.api}/slug/${row.summary.slug}.json`))).json()
  const texts = [data.description, data.founders?.join(', '), data.former_names?.join(', ')].filter(Boolean)
  const text = texts.find((one) => missing.some((word) => isMarked(word, one)))
  if (!text || !row.isConnected) return
  const parts = missing.map((word) => word(text)).find((found) => found.length > 1 || typeof found[0] !== 'string')
  const at = typeof parts[0] === 'string' ? parts[0].length : 0
  $('.what', row).append(el('p.snippet', { dir: 'auto' }, mark(excerpt(text, at))))
}

// About two lines of a text around a place, cut between words.
function excerpt(text, at) {
  const from = at > AROUND ? text.indexOf(' ', at - AROUND) + 1 : 0
  const cut = text.slice(from, from + LENGTH)
  const rest = from + LENGTH < text.length
  return `${from ? '… ' : ''}${rest ? cut.slice(0, Math.max(cut.lastIndexOf(' '), AROUND * 2)) : cut}${rest ? ' …' : ''}`.replace(/\s+/g, ' ')
}
