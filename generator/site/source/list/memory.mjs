// What the browser remembers for a visitor between pages: which filters are open, and how lists look.
import { url } from '../common.mjs'

const place = `registry:${url('/')}`

function all() {
  try {
    return JSON.parse(localStorage.getItem(place)) ?? {}
  } catch {
    return {}
  }
}

// A value that was kept, or null.
export const recall = (key) => all()[key] ?? null

// Keeps a value; a browser that forbids it has the usual view on the next page.
export function keep(key, value) {
  try {
    localStorage.setItem(place, JSON.stringify({ ...all(), [key]: value }))
  } catch {}
}
