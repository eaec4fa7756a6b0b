// Dates that a reader has pinned, by slug, kept in this browser; where it refuses that, until the page is left.
import { fill, texts } from './clock.mjs'

const KEY = `registry.pins${document.body.dataset.base}`

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY)) ?? []
    return new Set(Array.isArray(kept) ? kept.filter((slug) => typeof slug === 'string') : [])
  } catch {
    return new Set()
  }
}

export const pins = read()

function keep() {
  try {
    if (pins.size) localStorage.setItem(KEY, JSON.stringify([...pins]))
    else localStorage.removeItem(KEY)
  } catch {
    // Refused: nothing is kept.
  }
}

// Forgets dates that are over.
export function forget(slugs) {
  if (slugs.filter((slug) => pins.delete(slug)).length) keep()
}

// Makes a button pin a date.  `changed()` is called when it was pressed.
export function pinned(button, slug, changed = () => {}) {
  const show = () => button.setAttribute('aria-pressed', pins.has(slug))
  button.addEventListener('click', () => {
    if (!pins.delete(slug)) pins.add(slug)
    keep()
    show()
    changed()
  })
  show()
  return button
}

// The button of a row.
export function star(name, slug, changed) {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', className: 'star', title: texts.pin, ariaLabel: fill(texts.pin_this, { name }) })
  return pinned(button, slug, changed)
}
