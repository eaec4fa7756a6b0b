// The results that a visitor came from: a list keeps the pages of its records in their order, and its own address, for the time
// of the tab; the page of a record leads back to it, and on.
const KEY = 'results'

// Keeps the paths of the pages of records from the place `from` on.
export function keepResults(paths, from = 0) {
  try {
    const all = from ? JSON.parse(sessionStorage.getItem(KEY)).paths : []
    paths.forEach((path, i) => (all[from + i] = path))
    sessionStorage.setItem(KEY, JSON.stringify({ at: location.pathname + location.search, paths: all }))
  } catch {} // a browser that forbids it shows records without a way back
}

// What is around a page among the results: { at, before, after }, the address of the list and the paths of pages; or null.
export function resultsAround(path) {
  try {
    const { at, paths } = JSON.parse(sessionStorage.getItem(KEY))
    const known = paths.filter(Boolean) // rows that were not read yet have none
    const place = known.indexOf(path)
    return place < 0 ? null : { at, before: known[place - 1], after: known[place + 1] }
  } catch {
    return null
  }
}
