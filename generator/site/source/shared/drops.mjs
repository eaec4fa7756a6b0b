// What drops down is closed by a click beside it, and by Escape.
import { $, $$ } from '../common.mjs'

const open = () => $$('.drop[open]')
addEventListener('click', ({ target }) => open().forEach((one) => one.contains(target) || (one.open = false)))
addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return
  for (const one of open()) {
    if (one.contains(document.activeElement)) $('summary', one).focus()
    one.open = false
  }
})
