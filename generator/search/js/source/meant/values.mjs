// What a query asks of a filter, as it was probably meant: { any, all, not } with lists of values, and { low, high }.

// Texts that ask for nothing.
const ANY = /^(?:any|all|null|undefined|\*|-)?$/i
const PREFIX = /^(all|and|any|or|in|eq|is|like|contains|not|ne|neq|nin|exclude)\s*[:(=]\s*/i
const [SIGN, WORD] = [/^(?:!=?|<>|[-~^])\s*(?=\S)/, /^(?:not|no|without)\s+(?=\S)/i]
const [EITHER, BOTH] = [/\s+(?:or|oder|ou)\s+|\s*(?:,|\|+)\s*/i, /\s+(?:and|und|et)\s+|\s*&+\s*|\s*\+\s*/i]
const MARKS = /^[\s"'\u201c\u201d([{]+|[\s"'\u201c\u201d)\]}]+$/g

const nothing = () => ({ any: [], all: [], not: [] })

// Conditions together.
export function joined(one, other) {
  const found = { ...one, ...other }
  for (const how of ['any', 'all', 'not']) found[how] = [...new Set([...one[how], ...other[how]])]
  const { low, high } = found
  if (low && high && (/^-?[0-9.]+$/.test(low + high) ? low - high > 0 : low > high)) Object.assign(found, { low: high, high: low })
  return found
}

// A decoded text with its plus signs, which may stand for spaces.
function withPlus(raw) {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

// The conditions of a raw value; null if it is not known what it asks. `how` is any, all, not, or what the name of the
// parameter or an operator says of a range: low, above, high, below.
export async function conditionsOf(raw, how, filter, known) {
  const form = known.forms[filter]
  const isRanged = form in known.table.ranged
  const marked = withPlus(raw).replace(MARKS, '')
  const plain = marked.replace(isRanged ? /\+(?=.)/g : /\+/g, ' ')
  if (isRanged && how in BOUNDS) return bounded(plain, how, form)
  const of = how in BOUNDS ? 'any' : how
  const ranged = isRanged && rangeOf(plain, form)
  if (ranged) return ranged
  const named = SIGN.test(plain) ? null : await known.value(plain, filter)
  if (named?.isSame) return withValues([named], of)
  if (ANY.test(plain)) return nothing()
  let found = nothing()
  for (const part of withPlus(raw).split(';')) {
    const more = await partOf(part.replace(MARKS, ''), of, filter, known)
    if (!more) return null
    found = joined(found, more)
  }
  return found
}

async function partOf(part, how, filter, known) {
  const [prefix, word = ''] = PREFIX.exec(part) ?? ['']
  const rest = part.slice(prefix.length)
  const ranged = known.forms[filter] in known.table.ranged && rangeOf(rest, known.forms[filter])
  if (ranged) return ranged
  const is = /^(?:n|ex)/i.test(word) ? 'not' : /^a(?:ll|nd)$/i.test(word) ? 'all' : how
  for (const [between, of, isSure] of [[EITHER, is], [BOTH, is === 'any' ? 'all' : is, true]]) {
    const texts = rest.split(between).map((text) => text.replace(MARKS, '')).filter((text) => text)
    if (texts.length < 2) continue
    const found = []
    for (const text of texts) found.push(await atom(text, filter, known))
    if (found.every((one) => one?.value && (one.isSame || !isSure))) return withValues(found, of)
    if (between === EITHER) return null
  }
  const one = await atom(rest.replace(/\+/g, ' ').trim(), filter, known)
  return one && withValues([one], is)
}

// One value, which may be negated.
async function atom(text, filter, known) {
  const asIs = SIGN.test(text) ? null : await known.value(text, filter)
  if (asIs?.isSame || !(SIGN.test(text) || WORD.test(text))) return asIs
  const found = await known.value(text.replace(SIGN, '').replace(WORD, ''), filter)
  return found && { ...found, isNot: true }
}

// The conditions of values; null if no record has one of them.
function withValues(found, how) {
  if (found.some(({ value }) => value === null)) return null
  const conditions = nothing()
  for (const { value, isNot } of found) conditions[isNot ? (how === 'not' ? 'any' : 'not') : how].push(value)
  return joined(nothing(), conditions)
}

// The end of a range that a word says, and whether the value itself is inside.
const BOUNDS = { low: ['low', 0], above: ['low', 1], high: ['high', 0], below: ['high', -1] }
const bounded = (text, how, form) => {
  const [end, step] = BOUNDS[how]
  const value = endOf(text, form, end === 'low')
  return value && { ...nothing(), [end]: stepped(value, step, form) }
}

// A number after or before another, where that is known.
const stepped = (end, step, form) => (step && (form === 'year' || (form === 'number' && /^-?[0-9]+$/.test(end))) ? String(Number(end) + step) : end)

const TO = /\s*(?:\.{2,}|\u2026|\u2013|\u2014|~|:)\s*|\s+(?:to|bis|and|-)\s+|(?<=[0-9])[-/](?=[0-9])/gi
const ENDS = [
  ['low', /^(?:>=|=>|gte:|from\s|since\s|ab\s|min:)\s*(.+)$/i],
  ['above', /^(?:>|gt:|over\s|after\s)\s*(.+)$/i],
  ['high', /^(?:<=|=<|lte:|until\s|up to\s|bis\s|max:|\.{2,}|\u2026)\s*(.+)$/i],
  ['below', /^(?:<|lt:|under\s|before\s)\s*(.+)$/i],
  ['low', /^(.+?)\s*(?:\+|\.{2,}|-|\u2026)$/],
]

// The conditions of a text that asks for a range; null if it is none, or a single value.
function rangeOf(text, form) {
  const whole = { low: endOf(text, form, true), high: endOf(text, form, false) }
  if (whole.low) return whole.low === whole.high ? null : joined(nothing(), { ...nothing(), ...whole })
  const both = text.replace(/^between[\s:]+/i, '')
  for (const { 0: to, index } of both.matchAll(TO)) {
    const ends = { low: endOf(both.slice(0, index), form, true), high: endOf(both.slice(index + to.length), form, false) }
    if (ends.low && ends.high) return joined(nothing(), { ...nothing(), ...ends })
  }
  for (const [how, pattern] of ENDS) {
    const found = pattern.test(text) && bounded(pattern.exec(text)[1], how, form)
    if (found) return found
  }
  return null
}

// A text as a value of a form with ranges, in a longer time the first or the last; null if it is none.
export function endOf(text, form, isFirst) {
  if (form === 'number') {
    const [, digits, unit] = /^(-?[0-9]+(?:\.[0-9]+)?)\s*([km])?$/i.exec(text.trim()) ?? []
    return digits ? String(Number(digits) * ({ k: 1e3, m: 1e6 }[unit?.toLowerCase()] ?? 1)) : null
  }
  const written = text.trim().replace(/^([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})$/, '$3-$2-$1')
  const parts = /^([0-9]{4})(?:[-/.]?([0-9]{1,2})(?:[-/.]?([0-9]{1,2})(?:[T\s][0-9:.]+Z?)?)?)?$/.exec(written)
  if (!parts) return null
  const [year, month] = [parts[1], Number(parts[2] ?? (isFirst ? 1 : 12))]
  if (month < 1 || month > 12) return null
  if (form === 'year') return year
  const two = (number) => String(number).padStart(2, '0')
  if (form === 'month') return `${year}-${two(month)}`
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const day = Number(parts[3] ?? (isFirst ? 1 : last))
  return day >= 1 && day <= last ? `${year}-${two(month)}-${two(day)}` : null
}

// The text of conditions, "" for none.
export function textOf({ any, all, not, low, high }) {
  const isRange = low || high
  const list = (values) => [...values].sort().join(',')
  const parts = [isRange ? `${low ?? ''}..${high ?? ''}` : list(any)]
  if (all.length) parts.push(all.length > 1 || any.length || isRange ? `all:${list(all)}` : list(all))
  if (not.length) parts.push(`not:${list(not)}`)
  return parts.filter((part) => part).join(';')
}
