// Dims the tiles of the landscape whose names lack the words that are typed; Enter goes to the next of the others.
import { $, $$, t, told } from '../../site/source/common.mjs'

const PAUSE = 100 // ms without a key
const [form, box, says, landscape] = ['#dimmer', '#dim', '#dim-says', '#landscape'].map((selector) => $(selector))
const fold = (text) => text.normalize('NFKD').replace(/\p{M}|['’]/gu, '').toLowerCase()

// Each tile with its folded name and the address of its project, which several boxes may show.
let tiles
const read = () =>
  (tiles ??= $$('section .tile-list a', landscape).map((link) => ({ link, name: fold(link.textContent), href: link.href })))

let found = []
let at = -1
let timer = 0

function show() {
  timer = 0
  const words = fold(box.value).split(/\s+/).filter(Boolean)
  landscape.classList.toggle('asked', words.length > 0)
  found = []
  at = -1
  for (const tile of read()) {
    const has = words.length > 0 && words.every((word) => tile.name.includes(word))
    tile.link.classList.toggle('lit', has)
    if (has) found.push(tile)
  }
  const count = new Set(found.map(({ href }) => href)).size
  says.textContent = words.length ? t('found', { count, ...told }) : ''
}

box.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(show, PAUSE)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (timer) {
    clearTimeout(timer)
    show()
  }
  if (!found.length) return
  at = (at + 1) % found.length
  found[at].link.scrollIntoView({ block: 'center' })
  for (const { link } of found) link.classList.toggle('here', link === found[at].link)
})
// A browser that goes back keeps what was typed.
if (box.value) show()
