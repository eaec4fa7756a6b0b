// What a list is narrowed to, each a button that removes it.
import { el, t, told } from '../common.mjs'
import { constraintText, labelOf } from './labels.mjs'
import { constraint, having, toggled } from './state.mjs'

// The buttons of a state; `go(state)` is called with the state without what was removed.
export function chips(state, go) {
  const button = (label, next, key) => {
    const one = el('button.chip', { type: 'button', 'data-key': key, 'aria-label': t('remove', { what: label }) }, el('bdi', {}, label), el('span', { 'aria-hidden': 'true' }, '×'))
    one.onclick = () => go(next)
    return one
  }
  const buttons = told.filters.flatMap(({ name, label }) => {
    const { how, values } = constraint(state.filters[name])
    if (how) return [button(`${label}: ${constraintText(name, how, values)}`, having(state, name, ''), `-${name}`)]
    return values.map((value) => button(`${label}: ${labelOf(name, value)}`, toggled(state, name, value), `-${name}/${value}`))
  })
  if (buttons.length > 1) buttons.push(button(t('clear'), { ...state, filters: {}, page: 1 }, '-'))
  return buttons
}
