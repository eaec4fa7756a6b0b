// The columns of an index: of each record the value, or the values, of one filter or sort, by their numbers.
import { Damaged, decoded, numbersOf } from './bytes.mjs'

const [NUMBER, COUNT] = [/^-?[0-9]{1,40}(\.[0-9]{1,40})?(e[-+]?[0-9]{1,3})?$/, /^[1-9][0-9]{0,6}$/]

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

  // The files with the numbers of all records, or of some positions.
  files(positions) {
    const wanted = new Set(positions && Array.from(positions, (p) => Math.floor(p / this.chunk)))
    const all = Array.from({ length: Math.ceil(this.records / this.chunk) }, (_, n) => [`columns/${this.name}`, n])
    return positions ? all.filter(([, n]) => wanted.has(n)) : all
  }

  // The file with the values.
  get listed() {
    return [`columns/${this.name}/values`, 0]
  }

  // The parts that were read, as [position of the first, numbers, how many each record has]; those are null where a record
  // has one at most, 0 for none.
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

  // Of each record, by position, the number of its value, 0 for none; of what was not read 0 too.
  numbers() {
    const all = new Uint32Array(this.records)
    if (this.counts) throw new Damaged()
    for (const [start, numbers] of this.parts()) all.set(numbers, start)
    return all
  }

  // Which places some positions have among all records in the order of their values, those without one last.
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

  // How many of the marked records have each value, by its number.
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

  // The values with what they are called and how many records have them, ascending: [value, label, count].
  lines() {
    const texts = decoded(this.reader.have(...this.listed)).split('\n')
    if (texts.pop() !== '' || texts.length !== this.values) throw new Damaged()
    let before
    return texts.map((text) => {
      const line = text.split('\t')
      const [key, count] = [this.key(line[0]), Number(line[2])]
      const isValue = this.type === 'text' ? /^[\0-\x7f]*$/ : NUMBER
      const right = line.length === 3 && isValue.test(line[0]) && COUNT.test(line[2]) && count <= this.records
      if (!right || key <= before) throw new Damaged()
      before = key
      return [line[0], line[1], count]
    })
  }

  // What a value is ordered by.
  key(value) {
    return this.type === 'text' ? value : Number(value)
  }

  // Calls `visit(position)` for the records that have one of the values from one to another; null is no end.
  between(low, high, visit) {
    const keys = this.lines().map(([value]) => this.key(value))
    const first = low === null ? 0 : keys.filter((key) => key < this.key(low)).length
    const end = high === null ? keys.length : keys.filter((key) => key <= this.key(high)).length
    for (const [start, numbers, lengths] of this.parts()) {
      for (let i = 0, record = start, left = lengths ? lengths[0] : 1; i < numbers.length; i++, left--) {
        while (!left) left = lengths ? lengths[++record - start] : (record++, 1)
        if (numbers[i] > first && numbers[i] <= end) visit(record)
      }
    }
  }
}
