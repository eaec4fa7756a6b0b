// Check the arguments of a tool against its JSON Schema. `null` means that a key is absent, and 2.0 is a whole number. What
// models write otherwise is taken as it is meant: a number or a boolean as a text, one text as a list, several values of a
// filter as a list, a slug with capitals, a collection in the singular, a filter beside `filters`.
import { near } from './more/nearest.mjs'
import { Refused } from './client.mjs'
import { clip, entriesOf, get, has, isObject, isText, keysOf, objectOf, plainText, printable, wholeOf } from './texts.mjs'

const TYPES = {
  object: [isObject, 'an object'],
  array: [Array.isArray, 'a list'],
  string: [isText, 'a text'],
  integer: [Number.isInteger, 'a whole number, without quotes'],
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
}

// The arguments without absent keys and with whole numbers as numbers. Throws Refused.
export const checked = (values, schema, table) => check('', withFilters(values, schema, table), schema, table)

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
  const value = MEANT[schema.type]?.(given, schema, table) ?? given
  if (!isType(value)) throw invalid(name ? `"${name}" must be ${description}.` : `Arguments must be ${description}.`)
  if (isObject(value)) return checkedObject(name, value, schema, table)
  if (Array.isArray(value)) return checkedList(name, value, schema, table)
  if (typeof value === 'string') checkText(name, value, schema)
  else if ('minimum' in schema && (value < schema.minimum || value > schema.maximum)) {
    const bounds = 'maximum' in schema ? `from ${schema.minimum} to ${schema.maximum}` : `at least ${schema.minimum}`
    throw invalid(`"${name}" must be ${bounds}.`)
  }
  return value
}

// What a value of another type means; undefined if it means nothing else.
const MEANT = {
  integer: wholeOf,
  string: (given, schema, table) => {
    const text = Array.isArray(given) ? conditions(given.map(plainText)) : plainText(given)
    return isText(text) ? spelled(text, schema, table) : undefined
  },
  array: (given, { items }) => {
    const text = plainText(given)
    if (!isText(text)) return undefined
    // Names of filters and of fields have no comma; names of records have a greatest length.
    return 'maxLength' in items ? [text] : text.split(/ *, */)
  },
}

// The arguments with the filters that are beside `filters` among these.
function withFilters(given, { properties }, table) {
  if (!isObject(given) || !properties.filters) return given
  const filters = given.filters ?? {}
  if (!isObject(filters)) return given
  const lists = Object.values(table.mcp.lists)
  const isBeside = ([key]) => !has(properties, key) && !has(filters, key) && lists.some((list) => has(list.filters, key))
  const beside = entriesOf(given).filter(isBeside)
  if (!beside.length) return given
  const rest = entriesOf(given).filter((entry) => !isBeside(entry))
  return { ...objectOf(rest), filters: { ...filters, ...objectOf(beside) } }
}

// The conditions of a filter as a text: values, of which any is enough, then those with a word of their own.
function conditions(parts) {
  if (!parts.every(isText)) return undefined
  const isWorded = (part) => /^(?:all|not):/.test(part)
  const any = parts.filter((part) => !isWorded(part)).join(',')
  return [...(any ? [any] : []), ...parts.filter(isWorded)].join(';')
}

// The spelling of a text that a schema accepts; the text itself without one.
function spelled(text, schema, table) {
  const lower = text.toLowerCase()
  const collection = keysOf(table.kinds).find((name) => table.kinds[name] === lower)
  return [text, lower, collection].find((one) => one !== undefined && isAmong(one, schema)) ?? text
}

const isAmong = (text, { enum: known, pattern }) => (known ?? [text]).includes(text) && new RegExp(pattern ?? '').test(text)

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
  return objectOf(
    entries.map(([key, part]) => {
      const found = check(key, part, shapeOf(key), table)
      // Values of filters have no capitals.
      return [key, name === 'filters' && isText(found) ? found.toLowerCase() : found]
    }),
  )
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
