// What a visitor chose to see side by side: [slug, name] of records by collection, for the time of the tab.  A page where records
// can be chosen has an element `tray`, which says of which collection, how many at most, and which script draws it.
import { $, url } from '../common.mjs'

const KEY = `chosen:${url('/')}`

function stored(write) {
  try {
    if (write) sessionStorage.setItem(KEY, JSON.stringify(write))
    return JSON.parse(sessionStorage.getItem(KEY)) ?? {}
  } catch {
    return null // a browser that forbids it
  }
}

// The element, null where nothing can be chosen.
export const tray = stored() && $('#tray')

export const chosenOf = (collection) => stored()?.[collection] ?? []

export const isChosen = (collection, slug) => chosenOf(collection).some(([one]) => one === slug)

// Chooses a record, or no longer; none besides the most.  `document` has an event `tray` after it, whose detail says whether that
// was too many.
export function toggle(collection, slug, name) {
  const before = chosenOf(collection)
  const without = before.filter(([one]) => one !== slug)
  if (without.length < before.length) put(collection, without)
  else if (before.length < tray.dataset.most) put(collection, [...before, [slug, name]])
  else put(collection, before, true)
}

// Chooses nothing.
export const clear = (collection) => put(collection, [])

function put(collection, chosen, isFull = false) {
  stored({ ...stored(), [collection]: chosen })
  show()
  document.dispatchEvent(new CustomEvent('tray', { detail: { isFull } }))
}

// Draws the tray if something is chosen; its script follows the event from then on.
export const show = () => tray && chosenOf(tray.dataset.collection).length > 0 && import(tray.dataset.script).catch(() => {})
