// Texts and JSON of answers to models: sizes in bytes, and objects whose keys keep their order.

export const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// Engines sort keys that are numbers, and read 1.0 as 1. So such a key begins with KEY while it is in memory, and such a
// number is a text that begins with NUMBER. No JSON text has these: they are half a character.
const [KEY, NUMBER] = ['\udc00', '\udc01']
const isOdd = (number) => /[.eE]/.test(number) || (number.length > 15 && !Number.isSafeInteger(Number(number)))

// A string of a JSON text and a colon after it, a number, or a bracket. The time is linear only in a valid text: a string
// without an end would be looked through again from each of its quotes.
const PARTS = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{}]/g

// The value of a JSON text, bytes or not. Throws SyntaxError.
export function parsed(raw) {
  const text = typeof raw === 'string' ? raw : decoder.decode(raw)
  const plain = JSON.parse(text)
  if (!/"\d+"\s*:|\d[.eE]|\d{16}/.test(text)) return plain
  const marked = text.replace(PARTS, (part, colon) => {
    if (part[0] === '"') return colon && /^"\d+"/.test(part) ? `"${KEY}${part.slice(1)}` : part
    return isOdd(part) ? `"${NUMBER}${part}"` : part
  })
  return JSON.parse(marked)
}

// The most levels of a JSON text of a client, as orjson reads it.
const LEVELS = 1024

// Throws SyntaxError unless orjson reads a JSON text too: it refuses half a character, numbers that are too large, and too
// many levels.
export function checkJson(text) {
  JSON.parse(text)
  let level = 0
  for (const [part] of text.matchAll(PARTS)) {
    if (part === '[' || part === '{') level++
    else if (part === ']' || part === '}') level--
    else if (part[0] !== '"' && !Number.isFinite(Number(part))) throw new SyntaxError()
    if (level > LEVELS) throw new SyntaxError()
  }
  if (isBroken(text)) throw new SyntaxError()
}

// Whether a JSON text has an escape of half a character, which UTF-8 cannot encode.
function isBroken(text) {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return false
  const plain = text.replace(/\\(?:u([0-9a-fA-F]{4})|.)/g, (_, code) => (code ? String.fromCharCode(parseInt(code, 16)) : ' '))
  return /[\ud800-\udfff]/u.test(plain)
}

export const keyOf = (text) => (/^\d+$/.test(text) ? KEY + text : text)
export const plainKey = (key) => (key[0] === KEY ? key.slice(1) : key)
export const has = (object, text) => Object.prototype.hasOwnProperty.call(object, keyOf(text))
export const get = (object, text) => (has(object, text) ? object[keyOf(text)] : undefined)
export const keysOf = (object) => Object.keys(object).map(plainKey)
export const entriesOf = (object) => Object.entries(object).map(([key, value]) => [plainKey(key), value])
export const objectOf = (entries) => Object.fromEntries(entries.map(([key, value]) => [keyOf(key), value]))
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
export const isText = (value) => typeof value === 'string' && value[0] !== NUMBER

// A whole number in any spelling, such as 2.0, as a number; other values as they are.
export function wholeOf(value) {
  const number = typeof value === 'string' && value[0] === NUMBER ? Number(value.slice(1)) : NaN
  return Number.isInteger(number) ? number + 0 : value
}

// A number or a boolean as a text; other values as they are.
export function plainText(value) {
  const whole = wholeOf(value)
  if (typeof whole === 'number' || typeof whole === 'boolean') return String(whole)
  return typeof whole === 'string' && whole[0] === NUMBER ? whole.slice(1) : whole
}

// The JSON text of a value, as orjson writes it.
export function encoded(value) {
  const text = JSON.stringify(value)
  if (!text.includes('\\udc0')) return text
  return text.replace(/"\\udc01([^"]*)"/g, '$1').replace(/"\\udc00/g, '"')
}

// Bytes of a text inside of JSON.
export const sizeOf = (text) => encoder.encode(JSON.stringify(text)).length

// A text without the characters of an expression at its end. An expression such as /\/+$/ takes quadratic time.
export function withoutEnd(text, characters) {
  let end = text.length
  while (end && characters.test(text[end - 1])) end--
  return text.slice(0, end)
}

// A text cut to `size` bytes of UTF-8, with an ellipsis at the end if it was longer.
export function clip(text, size) {
  if (text.length * 3 <= size) return text
  const bytes = encoder.encode(text)
  if (bytes.length <= size) return text
  let end = Math.max(0, size - 3)
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--
  const cut = decoder.decode(bytes.subarray(0, end))
  return `${withoutEnd(cut, /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/)}…`
}

// A text on one line: unprintable characters are escaped as in Python.
export function printable(text) {
  return text.replace(/[\p{C}\p{Z}]/gu, (character) => {
    if (character === ' ') return character
    const code = character.codePointAt(0)
    const short = { 9: '\\t', 10: '\\n', 13: '\\r' }[code]
    const [letter, digits] = code < 2 ** 8 ? ['x', 2] : code < 2 ** 16 ? ['u', 4] : ['U', 8]
    return short ?? `\\${letter}${code.toString(16).padStart(digits, '0')}`
  })
}
