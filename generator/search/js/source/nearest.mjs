// The known values nearest to a text, as generator.grammar.nearest finds them.
import { runsOf } from './folding.mjs'

const MOST = 10
const LETTERS = 60
const KNOWN = 20_000
const [SAME, BEGINS, INSIDE, SLIP, SHARED, FAR] = [0, 1, 2, 3, 5, 99]

// The values that `near` finds; if it finds none and there are at most MOST, all known values.
export function nearest(text, known, table) {
  const found = near(text, known, table)
  return found.length || known.length > MOST ? found : known.map(([value]) => value)
}

// At most MOST of the known [value, label] pairs that are near in spelling or label, the nearest first; equally near ones
// keep their order.
export function near(text, known, table) {
  const plain = (one) => Array.from(runsOf(one, table).join('-')).slice(0, LETTERS)
  const wanted = plain(text)
  const some = known.slice(0, KNOWN)
  const ranks = some.map(([value, label]) => Math.min(rank(wanted, plain(value)), rank(wanted, plain(label))))
  const places = [...some.keys()].filter((i) => ranks[i] < FAR).sort((i, j) => ranks[i] - ranks[j] || i - j)
  return [...new Set(places.map((i) => some[i][0]))].slice(0, MOST)
}

// How near two words are, both given as their letters.
function rank(wanted, known) {
  const [text, other] = [wanted.join(''), known.join('')]
  if (!text || !other) return FAR
  if (text === other) return SAME
  if (wanted.length > 1 && other.startsWith(text)) return BEGINS
  const together = (words) => words.replace(/-/g, '')
  if (wanted.length > 1 && (other.includes(`-${text}`) || together(other).startsWith(together(text)))) return INSIDE
  const most = [3, 6, 10].filter((letters) => wanted.length >= letters).length
  const slips = slipsOf(wanted, known, most)
  if (slips <= most) return SLIP + slips - 1
  const words = other.split('-')
  const shared = text.split('-').filter((word) => words.includes(word))
  return text.split('-').includes(other) || shared.some((word) => Array.from(word).length > 2) ? SHARED : FAR
}

// The number of letters to change, remove, add or swap with the next; more than `most` if it is greater.
function slipsOf(one, other, most) {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before = []
  let above = [...Array(other.length + 1).keys()]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      let cost = Math.min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1))
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (exchanged) cost = Math.min(cost, before[j - 2] + 1)
      row.push(cost)
    }
    if (Math.min(...row) > most) return most + 1
    before = above
    above = row
  }
  return above[other.length]
}
