// A box at each row, which chooses its record for the tray.
import { $, $$, el, told } from '../common.mjs'
import { chosenOf, show, toggle, tray } from '../shared/tray.mjs'

const slugOf = (link) => link.pathname.split('/').at(-2)

function draw(rows) {
  const chosen = new Set(chosenOf(told.collection).map(([slug]) => slug))
  for (const link of $$('.entries > li > .what > .name', rows)) {
    const row = link.closest('li')
    const label = tray.dataset.label.replace('{name}', link.textContent)
    if (!$('.pick', row)) row.prepend(el('input.pick', { type: 'checkbox', title: label, 'aria-label': label }))
    row.firstChild.checked = chosen.has(slugOf(link))
  }
}

export function boxes(rows) {
  if (!tray) return
  const again = () => draw(rows)
  rows.onchange = ({ target }) => {
    const link = $('.name', target.parentNode)
    toggle(told.collection, slugOf(link), link.textContent)
  }
  new MutationObserver(again).observe(rows, { childList: true, subtree: true })
  document.addEventListener('tray', again)
  again()
  show()
}
