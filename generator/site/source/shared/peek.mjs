// Asks for the card of a record: by a short rest of the pointer on its name or logo, by Space on its name, and where no pointer
// hovers by a tap beside its name or on its tile.  The script of the card is loaded then.
import { $, told } from '../common.mjs'

const REST = 400 // ms
const hovers = matchMedia('(hover: hover) and (pointer: fine) and (min-width: 45.01rem)')
const touched = matchMedia('(hover: none)')

// `links` lead to the records within `place`, each in an item: a row, or with `areTiles` nothing but the link.
export function peek(place, links, areTiles) {
  const linkIn = (item) => item && $(links, item)
  const open = (link, isHover) => import(told.card).then((card) => card.open(link, isHover))
  let timer
  place.addEventListener('pointerover', ({ target, pointerType }) => {
    clearTimeout(timer)
    const link = hovers.matches && pointerType !== 'touch' && linkIn(target.closest(`.face, ${links}`)?.closest('li'))
    if (link) timer = setTimeout(() => open(link, true).catch(() => {}), REST)
  })
  place.addEventListener('pointerleave', () => clearTimeout(timer))
  place.addEventListener('keydown', (event) => {
    if (event.key !== ' ' || !event.target.matches(links)) return
    event.preventDefault()
    open(event.target).catch(() => {})
  })
  place.addEventListener('click', (event) => {
    if (!touched.matches || (!areTiles && event.target.closest('a, button, label, input'))) return
    const link = areTiles ? event.target.closest(links) : linkIn(event.target.closest('.entries > li'))
    if (!link) return
    if (areTiles) event.preventDefault()
    open(link).catch(() => areTiles && location.assign(link.href))
  })
}
