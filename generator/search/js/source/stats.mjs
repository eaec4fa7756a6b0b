// Statistics of a number of records: how many have it, sum, least, median and greatest; exact, as decimals add up.
import { Damaged } from './bytes.mjs'
import { Column, NUMBER } from './columns.mjs'

const NONE = { n: 0, sum: null, min: null, median: null, max: null }

// The statistics of the number that a query names, from its column, which has to be read.
export class Stats {
  constructor(name, reader) {
    this.column = new Column(name, reader)
  }

  // Prepare for `of`, after reading.
  begin() {
    this.numbers = this.column.numbers()
    const texts = this.column.lines().map(([text]) => text)
    if (!texts.every((text) => NUMBER.test(text))) throw new Damaged()
    this.places = texts.reduce((most, text) => Math.max(most, partsOf(text)[1]), 0)
    // By value number from 1, the value times 10 to the power of `places`.
    this.values = texts.map((text) => scaled(text, this.places))
  }

  // The statistics of the records at some positions.
  of(positions) {
    const having = positions.map((p) => this.numbers[p]).filter((number) => number).sort()
    const n = having.length
    if (!n) return NONE
    const [values, valueOf] = [this.values, (i) => this.values[having[i] - 1]]
    let sum = 0n
    for (let i = 0, first = 0; i < n; first = i) {
      while (i < n && having[i] === having[first]) i++
      sum += values[having[first] - 1] * BigInt(i - first)
    }
    const twice = valueOf((n - 1) >> 1) + valueOf(n >> 1)
    const shown = (value, places = this.places) => Number(`${value}e-${places}`)
    return { n, sum: shown(sum), min: shown(valueOf(0)), median: shown(twice * 5n, this.places + 1), max: shown(valueOf(n - 1)) }
  }
}

// The digits of a number as a text, and after how many of them the point is from the right.
function partsOf(text) {
  const [, sign, whole, decimals = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:e([-+]?[0-9]+))?$/.exec(text)
  return [sign + whole + decimals, decimals.length - Number(exponent)]
}

function scaled(text, places) {
  const [digits, own] = partsOf(text)
  return BigInt(digits) * 10n ** BigInt(places - own)
}
