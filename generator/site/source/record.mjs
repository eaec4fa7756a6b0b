// The script of the page of a record: the way back to the results, the link to copy, and tables that are sorted by their heads.
import './copy.mjs'
import { $, $$, el, t } from './common.mjs'
import './shared/drops.mjs'
import { resultsAround } from './shared/results.mjs'

const LONG = 2000 // ms that a button says what it did

// --- among results ---

const around = resultsAround(location.pathname)
if (around) {
  const { at, before, after } = around
  const back = el('a', { href: at }, t('back'))
  back.onclick = (event) => {
    if (document.referrer !== location.origin + at || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    history.back() // where the list was left
  }
  const step = (to, label, rel) => (to ? el('a', { href: to, rel }, label) : el('span', { 'aria-disabled': 'true' }, label))
  const nav = $('#results')
  nav.append(
    back,
    step(before, t('previous'), 'prev'),
    step(after, t('next'), 'next'),
  )
  nav.hidden = false
}

// --- the link ---

const link = $('#copy-link')
let timer
if (link) {
  const label = link.textContent
  link.onclick = async () => {
    const address = link.dataset.address ?? location.origin + location.pathname
    const done = await navigator.clipboard.writeText(address).then(
      () => 'copied',
      () => 'copy_failed',
    )
    link.textContent = $('#said').textContent = t(done)
    clearTimeout(timer)
    timer = setTimeout(() => {
      link.textContent = label
      $('#said').textContent = ''
    }, LONG)
  }
}

// --- tables ---

const { compare } = new Intl.Collator(document.documentElement.lang, { numeric: true })
for (const table of $$('[data-sortable]')) {
  const [body] = table.tBodies
  const rows = [...body.rows] // newest first
  const heads = $$('thead th', table)
  heads.forEach((head, column) => {
    const by = head.dataset.by ?? 'name'
    if (by === 'bar') return
    const value = {
      time: (row) => -rows.indexOf(row),
      number: (row) => Number(row.cells[column].dataset.value),
      name: (row) => row.cells[column].textContent,
    }[by]
    const order = by === 'name' ? (a, b) => compare(value(a), value(b)) : (a, b) => value(a) - value(b)
    const button = el('button.plain', { type: 'button' }, ...head.childNodes)
    head.append(button)
    button.onclick = () => {
      const { ariaSort } = head
      const isDown = ariaSort ? ariaSort === 'ascending' : by !== 'name'
      for (const other of heads) other.removeAttribute('aria-sort')
      head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
      body.append(...[...rows].sort((a, b) => (isDown ? order(b, a) : order(a, b))))
    }
  })
}
