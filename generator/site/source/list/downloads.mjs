// The buttons that a list is downloaded by.  What they do is in ../download.mjs, which is loaded when one is pressed.
import { el, t, told } from '../common.mjs'
import { page } from './page.mjs'

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
