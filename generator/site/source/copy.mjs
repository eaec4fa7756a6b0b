// Text to copy: each element with `data-copy` gets a button that copies its `pre`, or its field.  Where the address of the site
// was not known when it was built, `data-site` has a word for it, and gets the address that it is read at.
import { $, $$, el, t, url } from './common.mjs'

const LONG = 2000 // ms that a button says what it did

for (const place of $$('[data-site]')) place.textContent = location.origin + url('')

for (const box of $$('[data-copy]')) {
  const button = el('button.copy.quiet', {}, t('copy'))
  const said = el('span.unseen', { role: 'status' })
  let timer
  button.onclick = async () => {
    const [field, text] = [$('input, textarea', box), $('pre', box)]
    const done = await navigator.clipboard.writeText(field ? field.value : text.textContent.trim()).then(
      () => 'copied',
      () => 'copy_failed',
    )
    button.textContent = said.textContent = t(done)
    clearTimeout(timer)
    timer = setTimeout(() => {
      button.textContent = t('copy')
      said.textContent = ''
    }, LONG)
  }
  box.append(button, said)
}
