// Recent searches; without a storage there are none.
const MOST = 5
const KEPT = 'registry.searches'

export function recent() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT)) ?? []
    return kept.filter((text) => typeof text === 'string').slice(0, MOST)
  } catch {
    return []
  }
}

export function keep(texts) {
  try {
    if (texts.length) localStorage.setItem(KEPT, JSON.stringify(texts))
    else localStorage.removeItem(KEPT)
  } catch {
    // Refused: nothing is kept.
  }
}

export const remember = (text) => text && keep([text, ...recent().filter((one) => one !== text)].slice(0, MOST))
