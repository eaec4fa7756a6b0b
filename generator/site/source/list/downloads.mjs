// The buttons that a list is downloaded by.
import { ask, el, t, told } from '../common.mjs'
import { target } from './state.mjs'

// Puts them in an element; `state()` is what the list shows.
export function offer(place, state) {
  const said = el('span', { role: 'status' })
  const button = (key, label) => el('button.quiet', { 'data-key': key }, label)
  const buttons = ['csv', 'json'].map((form) => button(form, t('download', { form: form.toUpperCase() })))
  const cancel = button('cancel', t('cancel'))
  let stopped
  cancel.onclick = () => (stopped = true)
  const running = (is) => {
    for (const one of buttons) one.hidden = is
    cancel.hidden = !is
  }
  const isOn = (number, pages) => {
    said.textContent = pages ? t('reading', { number, pages }) : t('loading')
    return !stopped
  }
  for (const one of buttons) {
    one.onclick = async () => {
      const [form, asked] = [one.dataset.key, state()]
      stopped = false
      running(true)
      cancel.focus()
      try {
        const { whole } = await import(told.download)
        const file = await whole(form, (page) => ask(target({ ...asked, page })), isOn)
        if (file) {
          const href = URL.createObjectURL(file)
          el('a', { href, download: `${told.collection}.${form}` }).click()
          setTimeout(() => URL.revokeObjectURL(href), 60_000)
        }
        said.textContent = t(file ? 'saved' : 'cancelled')
      } catch {
        said.textContent = t('not_saved')
      }
      running(false)
      one.focus()
    }
  }
  running(false)
  place.replaceChildren(...buttons, cancel, said)
}
