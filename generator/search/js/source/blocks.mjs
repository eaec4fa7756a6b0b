// The blocks of an index: runs of records in the default order, which divide the postings and the rows.
import { Damaged, numbersOf } from './bytes.mjs'

// Parse the blocks; the numbers of records, groups and row files must match those of the manifest.
export function blocksIn(data, count, rows) {
  const blocks = taken(data)
  const levels = blocks.levels.reduce((max, level) => Math.max(max, level), 0)
  const right = blocks.records === count && levels <= rows.length && (blocks.levels[0] ?? levels) === levels
  if (!right || rows.some((files, i) => blocks.starts[i + 1].length !== files)) throw new Damaged()
  return blocks
}

class Blocks {
  // For each block its slot, its number of records, and the level of what begins with it: a group, a large or a larger
  // file.
  constructor(slots, sizes, levels, every) {
    // By level, the first positions of all blocks (level 0), groups, large and larger files.
    Object.assign(this, { slots, sizes, levels, starts: [[], [], [], []], records: 0 })
    // By slot, the position of the first record, and the number of records.
    Object.assign(this, { first: new Uint32Array(every), held: new Uint8Array(every) })
    slots.forEach((slot, i) => {
      if (slot >= every || this.held[slot]) throw new Damaged()
      for (let level = levels[i]; level >= 0; level--) this.starts[level].push(this.records)
      this.first[slot] = this.records
      this.held[slot] = sizes[i]
      this.records += sizes[i]
    })
  }
}

function taken(data) {
  const short = data.length % 3 === 0 && slotsFor(data.length / 3) <= 2 ** 16
  const width = short ? 2 : 4
  const number = data.length / (width + 1)
  if (number % 1 || (!short && slotsFor(number) <= 2 ** 16)) throw new Damaged()
  const packed = data.subarray(number * width)
  const [sizes, levels] = [packed.map((byte) => (byte & 15) + 1), packed.map((byte) => byte >> 4)]
  if (levels.some((level) => level > 3)) throw new Damaged()
  return new Blocks(numbersOf(data.subarray(0, number * width), width), sizes, levels, slotsFor(number))
}

// The number of slots for so many blocks: a power of two or 5/4, 6/4 or 7/4 of it, with at least a tenth free.
function slotsFor(blocks) {
  for (let power = 16; ; power *= 2) {
    for (const quarters of [4, 5, 6, 7]) {
      const slots = (power * quarters) / 4
      if (slots * 9 >= blocks * 10) return slots
    }
  }
}
