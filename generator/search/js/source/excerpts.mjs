// Shorten documents to fit into an answer, and say how to get the rest.
import { Refused } from './client.mjs'
import { clip, encoded, encoder, entriesOf, get, has, isObject, isText, keysOf, sizeOf } from './texts.mjs'

const ALL = 10 ** 6
const CUTS = [
  [ALL, ALL, ALL],
  ...[ALL, 50, 30, 20, 15].map((items) => [4000, items, ALL]),
  ...[10, 7, 5].map((items) => [1000, items, 50]),
  ...[5, 3].map((items) => [300, items, 20]),
  [100, 2, 20], [100, 1, 20], [100, 0, 8], [100, 0, 0],
]

// A call of a tool, and bounds of its answer. `room` is the bytes of an answer without the envelope of the protocol. An
// answer has its document twice: as a text, and as an object.
export class Call {
  constructor(tool, given, { answer }) {
    Object.assign(this, { tool, given, room: answer - 1024, note: `Cut to fit ${Math.floor(answer / 1024)} KiB.` })
  }

  // The bytes of a text and of the JSON text of an object.
  sizeOf(text, document = text) {
    return sizeOf(text) + encoder.encode(document).length
  }

  fits(text, document) {
    return this.sizeOf(text, document) <= this.room
  }

  with(changed) {
    return { tool: this.tool, arguments: { ...this.given, ...changed } }
  }
}

// The largest n up to `limit` whose `answer(n)` fits, by bisection; else 0.
export function mostThatFit(limit, answer, call) {
  let [low, high] = [0, limit]
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2)
    if (call.fits(answer(middle))) low = middle
    else high = middle - 1
  }
  return low
}

// The items of a list, or the characters of a text, as many as fit. `values` are those from number `start` on, of `total`.
export function fitRows(head, values, start, total, call) {
  const [all, whole] = isText(values) ? [[...values], (some) => some.join('')] : [values, (some) => some]
  const answer = (some, isWhole = true) => {
    const end = start - 1 + some.length
    const notes = isWhole ? [] : [`Number ${start} is shortened.`]
    if (some.length < all.length) notes.push(`${total - end} of ${total} are left.`)
    return encoded({
      ...head,
      start,
      count: some.length,
      truncated: notes.length > 0,
      data: isWhole ? whole(some) : some,
      ...(notes.length ? { note: [call.note, ...notes].join(' ') } : {}),
      next: end < total && some.length ? call.with({ start: end + 1 }) : null,
    })
  }
  const count = mostThatFit(all.length, (n) => answer(all.slice(0, n)), call)
  if (count || !all.length) return answer(all.slice(0, count))
  let text
  for (const [{ item }] of shortened({ item: all[0] })) {
    text = answer([item], false)
    if (call.fits(text)) break
  }
  return text
}

// The items of a whole list or text from `start` on, as many as fit.
export function fitAllRows(head, values, start, call) {
  const all = isText(values) ? [...values] : values
  if (start > Math.max(1, all.length)) throw startRefused(all.length)
  const rest = all.slice(start - 1)
  return fitRows(head, isText(values) ? rest.join('') : rest, start, all.length, call)
}

export const startRefused = (total) => new Refused('invalid-parameter', `start must be at most ${Math.max(1, total)} here.`)

// An object with its long parts shortened; or, if the call has the argument `name`, the part with that name.
export function fitParts(head, data, name, call, start) {
  if (!(name in call.given)) return fitObject(head, data, name, call)
  const part = call.given[name]
  if (!has(data, part)) throw new Refused('not-found', `There is no ${name} "${part}" here.`, keysOf(data))
  let value = get(data, part)
  if (isObject(value)) {
    value = entriesOf(value).flatMap(([key, one]) => (Array.isArray(one) ? one : [one]).map((item) => ({ key, value: item })))
  } else if (!Array.isArray(value) && !isText(value)) {
    if (start > 1) throw startRefused(1)
    return encoded({ ...head, [name]: part, truncated: false, data: value, next: null })
  }
  return fitAllRows({ ...head, [name]: part }, value, start, call)
}

// An object, shortened to fit, with the names of its incomplete parts. If nothing is shortened, `next` is `instead`.
export function fitObject(head, data, name, call, without = [], instead = null) {
  const isList = Array.isArray(call.given[name])
  let text
  for (const [shown, parts] of shortened(data)) {
    const cut = [...new Set([...parts, ...without])]
    // A call for a list with a single part would give the same answer again.
    const more = cut.length && !(isList && Object.keys(data).length === 1)
    const note = `${call.note} What is named in cut is not whole; ${name} gives one of these.`
    text = encoded({
      ...head,
      truncated: cut.length > 0,
      data: shown,
      ...(cut.length ? { cut, note } : {}),
      next: more ? call.with({ [name]: isList ? cut.slice(0, 1) : cut[0] }) : instead,
    })
    if (call.fits(text)) break
  }
  return text
}

// An object, shortened more each time, with the names of the incomplete parts.
function* shortened(data) {
  for (const cut of CUTS) {
    const shown = Object.entries(data).map(([key, value]) => [key, shorten(value, ...cut)])
    yield [Object.fromEntries(shown), keysOf(data).filter((_, i) => shown[i][1] !== Object.values(data)[i])]
  }
}

// A value, itself if it is short enough.
function shorten(value, text, items, keys) {
  if (typeof value === 'string') return isText(value) ? clip(value, text) : value
  if (Array.isArray(value)) {
    const some = value.slice(0, items).map((item) => shorten(item, text, items, keys))
    return some.length === value.length && some.every((item, i) => item === value[i]) ? value : some
  }
  if (!isObject(value)) return value
  const parts = Object.entries(value)
  const some = parts.slice(0, keys).map(([key, part]) => [key, shorten(part, text, items, keys)])
  if (some.length === parts.length && some.every(([, part], i) => part === parts[i][1])) return value
  return Object.fromEntries(some)
}
