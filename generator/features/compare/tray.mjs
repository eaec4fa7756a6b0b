// What was chosen at rows, at the lower edge of the window, with the way to see it side by side.
import { $, el, refill } from '../../site/source/common.mjs'
import { chosenOf, clear, toggle, tray } from '../../site/source/shared/tray.mjs'

const { collection, most, to } = tray.dataset
const texts = JSON.parse(tray.dataset.texts)
const t = (key, values) => texts[key].replace(/\{(\w+)\}/g, (_, name) => values[name])

const said = el('p', { role: 'status' })
const names = el('ul.plain')
const go = el('a.button', {}, texts.compare)
const none = el('button.quiet', { type: 'button' }, texts.clear)
none.onclick = () => clear(collection)
tray.append(said, names, none, go)

const chip = ([slug, name]) => {
  const button = el('button.chip', { type: 'button', 'data-key': slug, 'aria-label': t('remove', { name }) }, el('bdi', {}, name), el('span', { 'aria-hidden': 'true' }, '×'))
  button.onclick = () => {
    toggle(collection, slug, name)
    ;($('button', names) ?? none).focus()
  }
  return el('li', {}, button)
}

function draw(isFull = false) {
  const chosen = chosenOf(collection)
  said.textContent = isFull ? t('full', { most }) : t(chosen.length > 1 ? 'chosen' : 'another', { count: chosen.length })
  refill(names, chosen.map(chip))
  go.href = to + chosen.map(([slug]) => encodeURIComponent(slug)).join()
  go.hidden = chosen.length < 2
  tray.hidden = !chosen.length
}

document.addEventListener('tray', ({ detail }) => draw(detail.isFull))
const style = el('link', { rel: 'stylesheet', href: tray.dataset.style })
style.onload = style.onerror = () => draw()
document.head.append(style)
