// Numbers, lines and checks in the files of an index. Nothing that is read is trusted.

// A file is missing or does not match the manifest.
export class Mixed extends Error {}
// A file is not valid.
export class Damaged extends Error {}

export const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

// The end of a manifest: its last key.
const SEAL = ',"check":"00000000"}\n'

export function decoded(data) {
  try {
    return decoder.decode(data)
  } catch {
    throw new Damaged()
  }
}

// The value of the JSON in some bytes.
export const jsonOf = (data) => JSON.parse(new TextDecoder().decode(data))

// Sort ascending positions by a whole number below 2 ** 32; equal ones stay in order. Engines sort numbers without calling a
// function for each pair, also in code that runs for the first time.
export function sorted(positions, numberOf) {
  const keys = new Float64Array(positions.length)
  for (let i = 0; i < keys.length; i++) keys[i] = numberOf(positions[i]) * 2 ** 20 + positions[i]
  keys.sort()
  const found = new Uint32Array(keys.length)
  for (let i = 0; i < keys.length; i++) found[i] = keys[i] % 2 ** 20
  return found
}

// Unsigned little-endian numbers, which is the byte order of all machines that run this. The result always has the same
// type, because loops that run only once or twice are not compiled for another type.
export function numbersOf(data, width) {
  if (data.length % width) throw new Damaged()
  const bytes = data.slice()
  return new Uint32Array(new { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[width](bytes.buffer))
}

// The rows of a page: the bytes between its first line break and its last but one.
export function rowsIn(page) {
  const start = page.indexOf(10) + 1
  return page.subarray(start, Math.max(start, page.lastIndexOf(10, page.length - 2)))
}

// Split data into `number` lines; with `commas`, each line but the last ends with a comma, which is removed.
export function linesIn(data, commas, number) {
  const lines = []
  for (let start = 0, end; start <= data.length; start = end + 1) {
    end = data.indexOf(10, start)
    if (end < 0) end = data.length
    const comma = commas && end < data.length
    if (lines.length === number || (comma && data[end - 1] !== 44)) throw new Damaged()
    lines.push(data.subarray(start, end - comma))
  }
  if (lines.length !== number) throw new Damaged()
  return lines
}

// Whether the last key of a manifest is the CRC-32 of everything before it.
export function isSealed(raw) {
  const end = raw.length - SEAL.length
  const check = hex(crc32(raw.subarray(0, end)))
  return end > 0 && decoded(raw.subarray(end)) === SEAL.replace('00000000', check)
}

// A check as names of files have it.
export const hex = (check) => check.toString(16).padStart(8, '0')

// The CRC-32 of zlib, four bytes at a time: entry 256 k + b of the table is that of the byte b and then k bytes of zeros.
const CRCS = new Uint32Array(1024)
for (let b = 0; b < 256; b++) {
  let c = b
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
  CRCS[b] = c
}
for (let i = 256; i < 1024; i++) CRCS[i] = (CRCS[i - 256] >>> 8) ^ CRCS[CRCS[i - 256] & 255]

// A host that has computed some checks gives them with the buffer, by `start:length`.
export function crc32(data) {
  const known = data.buffer.checks?.get(`${data.byteOffset}:${data.length}`)
  if (known !== undefined) return known
  const bytes = data.byteOffset % 4 ? data.slice() : data
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2)
  let c = -1
  for (let i = 0; i < words.length; i++) {
    c ^= words[i]
    c = CRCS[768 + (c & 255)] ^ CRCS[512 + ((c >>> 8) & 255)] ^ CRCS[256 + ((c >>> 16) & 255)] ^ CRCS[c >>> 24]
  }
  for (let i = words.length * 4; i < data.length; i++) c = (c >>> 8) ^ CRCS[(c ^ data[i]) & 255]
  return ~c >>> 0
}
