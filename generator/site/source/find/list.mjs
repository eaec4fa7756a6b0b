// The list below the field: groups of options, of which one may be chosen.
import { $, $$, el } from '../common.mjs'

export const list = $('#find-found')
const { q: input } = $('#find').elements

export const options = () => $$('[role=option]', list)
export const active = () => $('[aria-selected=true]', list)

export function choose(option) {
  active()?.setAttribute('aria-selected', 'false')
  option?.setAttribute('aria-selected', 'true')
  option?.scrollIntoView({ block: 'nearest' })
  if (option) input.setAttribute('aria-activedescendant', option.id)
  else input.removeAttribute('aria-activedescendant')
}

// Shows groups of options: [label, options].  `note` is said above them.
export function open(groups, note = '') {
  const filled = groups.filter(([, members]) => members.length)
  choose(null)
  list.replaceChildren(
    ...[note].filter(Boolean).map((text) => el('p.note-line', {}, text)),
    el('div', { role: 'listbox', id: 'find-list', 'aria-label': input.labels[0].textContent, hidden: !filled.length }, filled.map(group)),
  )
  options().forEach((option, i) => (option.id = `find-${i}`))
  list.hidden = !filled.length && !note
  fit()
  input.setAttribute('aria-expanded', String(filled.length > 0))
}

// The list begins where the field does, or ends there if the window has no room for it.
function fit() {
  list.classList.remove('end')
  const { left, right } = list.getBoundingClientRect()
  list.classList.toggle('end', left < 0 || right > document.documentElement.clientWidth)
}

// Without a label the options stand at the end of the list.
function group([label, members], i) {
  if (!label) return el('div.last', { role: 'presentation' }, members)
  const head = el('div.kind', { id: `find-kind-${i}`, role: 'presentation' }, label)
  return el('div', { role: 'group', 'aria-labelledby': head.id }, head, members)
}

export const option = (href, ...children) => el('a', { role: 'option', href, tabindex: '-1', 'aria-selected': 'false' }, children)

// An option that does something here.
export function action(label, act) {
  const one = option(null, label)
  one.onclick = act
  return one
}

export const aside = (...texts) => el('span.aside', {}, texts.filter(Boolean).join(' · '))
