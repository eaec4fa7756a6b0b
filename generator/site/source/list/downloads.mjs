// The buttons that a list is downloaded by.  What they do is in ../download.mjs, which is loaded when one is pressed.
import { ask, el, t, told, url } from '../common.mjs'
import { complete, constraintText, labelOf } from './labels.mjs'
import { constraint, target } from './state.mjs'

// What that module needs of this page.
const page = {
  t,
  told,
  complete,
  read: (state, number) => ask(target({ ...state, page: number })),
  labelOf: (filter, value) => told.fields[filter.slice(6)]?.values?.[value] ?? labelOf(filter, value),
  chosen: (name, text) => {
    const { how, values } = constraint(text)
    return values.length ? constraintText(name, how, values) : ''
  },
  address: (slug) => new URL(url(`${told.roots[told.collection]}/${slug}/`), location.href).href,
}

// Puts them in an element; `state()` is what the list shows.
export function offer(place, state) {
  const said = el('span', { role: 'status' })
  const buttons = ['csv', 'json'].map((form) => el('button.quiet', { 'data-key': form }, t('download', { form: form.toUpperCase() })))
  for (const button of buttons) {
    button.onclick = async () => {
      try {
        await (await import(told.download)).download(button, buttons, said, state(), page)
      } catch {
        said.textContent = t('not_saved')
      }
    }
  }
  place.replaceChildren(...buttons, said)
}
