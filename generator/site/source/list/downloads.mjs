// The buttons that a list is downloaded by.
import { ask, el, t, told, url } from '../common.mjs'
import { complete, constraintText, labelOf } from './labels.mjs'
import { constraint, target } from './state.mjs'

// What a file of a state is called: the registry, the collection, what it is narrowed to, the day.
function fileName({ q, filters }, form) {
  const narrowed = told.filters.flatMap(({ name }) => {
    const { how, values } = constraint(filters[name])
    return values.length ? constraintText(name, how, values) : []
  })
  const words = [document.title.split(' – ').at(-1), told.label, q, ...narrowed].join(' ').normalize('NFC').toLowerCase()
  const stem = words.replace(/[^\p{L}\p{N}\p{M}]+/gu, '-').slice(0, 90)
  return `${stem}-${new Date().toISOString().slice(0, 10)}.${form}`.replace(/^-+|-+(?=-)/g, '')
}

// What the module of downloads needs of this page.
const names = {
  complete,
  has: (filter) => !filter.startsWith('field_') || Object.keys(told.fields[filter.slice(6)].values).length > 0,
  labelOf: (filter, value) => told.fields[filter.slice(6)]?.values[value] ?? labelOf(filter, value),
  page: (slug) => new URL(url(`${told.roots[told.collection]}/${slug}/`), location.href).href,
}

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
        const file = await whole(form, (page) => ask(target({ ...asked, page })), isOn, names)
        if (file) {
          const href = URL.createObjectURL(file)
          el('a', { href, download: fileName(asked, form) }).click()
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
