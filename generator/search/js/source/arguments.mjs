// Check the arguments of a tool against its JSON Schema. `null` means that a key is absent, and 2.0 is a whole number.
import { Refused } from './client.mjs'
import { near } from './nearest.mjs'
import { clip, entriesOf, get, has, isObject, isText, keysOf, objectOf, printable, wholeOf } from './texts.mjs'

const TYPES = {
  object: [isObject, 'an object'],
  array: [Array.isArray, 'a list'],
  string: [isText, 'a text'],
  integer: [Number.isInteger, 'a whole number, without quotes'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
}

// The arguments without absent keys and with whole numbers as numbers. Throws Refused.
export const checked = (values, schema, table) => check('', values, schema, table)

// The arguments, with defaults for missing keys.
export function withDefaults(values, schema) {
  const defaults = Object.entries(schema.properties).filter(([, shape]) => 'default' in shape)
  return { ...Object.fromEntries(defaults.map(([name, shape]) => [name, shape.default])), ...values }
}

const invalid = (detail) => new Refused('invalid-parameter', detail)
const shown = (text) => clip(printable(text), 100)
const lengthOf = (text) => [...text].length

function check(name, given, schema, table) {
  const [isType, description] = TYPES[schema.type]
  const value = schema.type === 'integer' ? wholeOf(given) : given
  if (!isType(value)) throw invalid(name ? `"${name}" must be ${description}.` : `Arguments must be ${description}.`)
  if (isObject(value)) return checkedObject(name, value, schema, table)
  if (Array.isArray(value)) return checkedList(name, value, schema, table)
  if (typeof value === 'string') checkText(name, value, schema)
  else if ('minimum' in schema && (value < schema.minimum || value > schema.maximum)) {
    throw invalid(`"${name}" must be from ${schema.minimum} to ${schema.maximum}.`)
  }
  return value
}

function checkedObject(name, given, schema, table) {
  const known = schema.properties ?? {}
  const others = schema.additionalProperties
  const shapeOf = (key) => get(known, key) ?? (isObject(others) ? others : undefined)
  for (const key of keysOf(given)) {
    if (shapeOf(key)) continue
    const [suggestion] = near(key, keysOf(known).map((one) => [one, '']), table)
    const hint = suggestion ? ` Did you mean "${suggestion}"?` : ''
    throw new Refused('unknown-parameter', `There is no "${shown(key)}" here.${hint}`, keysOf(known))
  }
  const entries = entriesOf(given).filter(([, part]) => part !== null)
  const value = objectOf(entries)
  for (const key of schema.required ?? []) if (!has(value, key)) throw invalid(`"${key}" is required.`)
  for (const [key, needed] of Object.entries(schema.dependentRequired ?? {})) {
    for (const other of needed) if (has(value, key) && !has(value, other)) throw invalid(`"${key}" needs "${other}" too.`)
  }
  if (entries.length > (schema.maxProperties ?? Infinity)) {
    throw invalid(`"${name}" has more than ${schema.maxProperties} keys.`)
  }
  return objectOf(entries.map(([key, part]) => [key, check(key, part, shapeOf(key), table)]))
}

function checkedList(name, value, schema, table) {
  const least = schema.minItems ?? 0
  if (value.length < least || value.length > schema.maxItems) {
    throw invalid(`"${name}" must have ${least} to ${schema.maxItems} items.`)
  }
  return value.map((part) => check(name, part, schema.items, table))
}

function checkText(name, value, schema) {
  if (schema.enum && !schema.enum.includes(value)) {
    throw new Refused('invalid-parameter', `"${name}" cannot be "${shown(value)}".`, schema.enum)
  }
  const least = schema.minLength ?? 0
  if (lengthOf(value) < least || lengthOf(value) > (schema.maxLength ?? Infinity)) {
    throw invalid(`"${name}" must have ${least} to ${schema.maxLength} characters.`)
  }
  if (schema.pattern && !new RegExp(schema.pattern).test(value)) {
    throw invalid(`"${name}" cannot be "${shown(value)}": it must match ${schema.pattern}`)
  }
}
