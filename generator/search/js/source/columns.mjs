// The columns of an index: for each record the value numbers of one filter or sort.
import { Damaged, decoded, numbersOf } from './bytes.mjs'

export const NUMBER = /^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/
const COUNT = /^(0|[1-9][0-9]{0,6})$/
const LEVELS = /^[0-9a-f]$/

function sum(numbers) {
  let all = 0
  for (let i = 0; i < numbers.length; i++) all += numbers[i]
  return all
}

function within(numbers, least, most) {
  let right = true
  for (let i = 0; i < numbers.length; i++) right &&= numbers[i] >= least && numbers[i] <= most
  return right
}

export class Column {
  constructor(name, reader) {
    Object.assign(this, { name, reader, records: reader.manifest.count, ...reader.manifest.columns[name] })
  }

  // The parts with the value numbers of all records, or of those at some positions.
  files(positions) {
    const wanted = new Set(positions && Array.from(positions, (p) => Math.floor(p / this.chunk)))
    const all = Array.from({ length: Math.ceil(this.records / this.chunk) }, (_, n) => [`columns/${this.name}`, n])
    return positions ? all.filter(([, n]) => wanted.has(n)) : all
  }

  // The file of the values.
  get listed() {
    return [`columns/${this.name}/values`, 0]
  }

  // The parts that were read, as [position of the first record, numbers, how many each record has]. The last is null if
  // each record has one number, 0 for no value.
  parts() {
    return this.files().flatMap((file) => {
      const data = this.reader.have(...file)
      if (!data) return []
      const start = file[1] * this.chunk
      const held = Math.min(this.chunk, this.records - start)
      const sizes = data.subarray(0, held * this.counts)
      const lengths = this.counts ? numbersOf(sizes, this.counts) : null
      const numbers = numbersOf(data.subarray(sizes.length), this.width)
      const whole = lengths ? lengths.length === held && sum(lengths) === numbers.length : numbers.length === held
      if (!whole || !within(numbers, lengths ? 1 : 0, this.values)) throw new Damaged()
      return [[start, numbers, lengths]]
    })
  }

  // The value number of each record, 0 for none or if its part was not read.
  numbers() {
    const all = new Uint32Array(this.records)
    if (this.counts) throw new Damaged()
    for (const [start, numbers] of this.parts()) all.set(numbers, start)
    return all
  }

  // By position, the places of some records in the order of the whole column; records without a value come last.
  places(positions, down) {
    const numbers = this.numbers()
    const starts = new Uint32Array(this.values + 1)
    for (let p = 0; p < numbers.length; p++) starts[numbers[p]]++
    let start = 0
    for (let i = 1; i <= this.values + 1; i++) {
      const number = i > this.values ? 0 : down ? this.values + 1 - i : i
      start += starts[number]
      starts[number] = start - starts[number]
    }
    const places = new Map()
    let at = 0
    for (const wanted of Array.from(positions).sort((a, b) => a - b)) {
      for (; at < wanted; at++) starts[numbers[at]]++
      places.set(wanted, starts[numbers[wanted]])
    }
    return places
  }

  // By value number, how many of the marked records have the value.
  tally(marks) {
    const counts = new Uint32Array(this.values + 1)
    for (const [start, numbers, lengths] of this.parts()) {
      if (lengths) {
        for (let i = 0, at = 0; i < lengths.length; i++) {
          const end = at + lengths[i]
          if (marks[start + i]) while (at < end) counts[numbers[at++]]++
          at = end
        }
      } else for (let i = 0; i < numbers.length; i++) if (marks[start + i]) counts[numbers[i]]++
    }
    counts[0] = 0
    return counts
  }

  // Calls `visit(position, number)` for each value of each record.
  each(visit) {
    for (const [start, numbers, lengths] of this.parts()) {
      for (let i = 0, record = start, left = lengths ? lengths[0] : 1; i < numbers.length; i++, left--) {
        while (!left) left = lengths ? lengths[++record - start] : (record++, 1)
        if (numbers[i]) visit(record, numbers[i])
      }
    }
  }

  // The value numbers of all records in their order, and where those of each record begin; all parts must have been read.
  flat() {
    const starts = new Uint32Array(this.records + 1)
    const numbers = []
    this.each((p, number) => {
      starts[p + 1]++
      numbers.push(number)
    })
    for (let p = 0; p < this.records; p++) starts[p + 1] += starts[p]
    return [starts, numbers]
  }

  // By position, the values of these records, ascending.
  at(positions) {
    const [lines, found] = [this.lines(), new Map()]
    const ascending = Array.from(positions).sort((a, b) => a - b)
    for (const [start, numbers, lengths] of this.parts()) {
      let [record, first] = [0, 0]
      for (const p of ascending) {
        if (p < start || p >= start + (lengths ?? numbers).length) continue
        for (; record < p - start; record++) first += lengths ? lengths[record] : 1
        const own = numbers.subarray(first, first + (lengths ? lengths[record] : 1))
        found.set(p, Array.from(own).filter((number) => number).map((number) => lines[number - 1][0]))
      }
    }
    return found
  }

  // The values, ascending, as [value, label, count, levels]: the bits of the levels of a place, 0 if it is none.
  lines() {
    const texts = decoded(this.reader.have(...this.listed)).split('\n')
    if (texts.pop() !== '' || texts.length !== this.values) throw new Damaged()
    let before
    return texts.map((text) => {
      const line = text.split('\t')
      const [key, count] = [this.key(line[0]), Number(line[2])]
      const levels = this.type === 'place' ? line.pop() : '0'
      const isValue = this.type === 'number' ? NUMBER : /^[\0-\x7f]*$/
      const right = line.length === 3 && isValue.test(line[0]) && COUNT.test(line[2]) && count <= this.records && LEVELS.test(levels)
      if (!right || key <= before) throw new Damaged()
      before = key
      return [line[0], line[1], count, parseInt(levels, 16)]
    })
  }

  // The key by which a value is ordered.
  key(value) {
    return this.type === 'number' ? Number(value) : value
  }

  // Calls `visit(position)` for the records with a value from `low` to `high`; null means no bound.
  between(low, high, visit) {
    const [first, end] = this.span(this.lines(), low, high)
    this.each((p, number) => number > first && number <= end && visit(p))
  }

  // How many of all values are before `low`, and how many are not after `high`; null means no bound.
  span(lines, low, high) {
    const keys = lines.map(([value]) => this.key(value))
    const first = low === null ? 0 : keys.filter((key) => key < this.key(low)).length
    return [first, high === null ? keys.length : keys.filter((key) => key <= this.key(high)).length]
  }
}
