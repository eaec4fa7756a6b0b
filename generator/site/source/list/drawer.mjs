// The filters of a narrow page: how many are in use, and a button that closes them and leads to the results.
import { $, el, t, told } from '../common.mjs'

const toggle = $('#filters-open')
const button = el('button', { type: 'button' })
const active = el('span.count')

// `lead()` is called when the button was pressed.
export function drawer(lead) {
  $('label[for="filters-open"]').append(' ', active)
  $('#filters .narrowing').append(el('p.done', {}, button))
  button.onclick = () => {
    toggle.checked = false
    lead()
  }
  $('#filters').onkeydown = ({ key }) => {
    if (key === 'Escape' && toggle.checked) button.click()
  }
}

// What both say under a state with so many results.
export function fillDrawer({ filters }, total) {
  const inUse = Object.keys(filters).length
  active.replaceChildren(...(inUse ? [`(${inUse})`] : []))
  button.textContent = t('show', { count: total ?? told.total })
}
