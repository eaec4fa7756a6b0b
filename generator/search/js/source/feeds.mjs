// Calendar feeds of selections: the events that match filters, joined from VEVENTs in the index.
// Bundles for browsers leave this module out: calendar programs ask hosts and not search.js.
import { nearOrAll, reading } from './asked.mjs'
import { Damaged, decoded, encoder } from './bytes.mjs'
import { Column } from './columns.mjs'
import { conditionsOf, meeting, meetingAll } from './conditions.mjs'
import { postings, seek } from './keys.mjs'
import { joined } from './list.mjs'
import { fill, formsOf, problem, readFilters, readParameters, unprepared } from './route.mjs'
import { rowsAt } from './rows.mjs'
import { answers } from './search.mjs'

// Route the query of a calendar feed.
function routed(rawQuery, table) {
  const { of, type, pattern, hours, ends } = table.feeds
  const list = table.lists.find(({ name }) => name === of)
  const every = formsOf(list, table)
  const forms = {}
  for (const name in every) if (every[name] || list.fixed[name]) forms[name] = every[name]
  const values = {}
  const near = (text, names) => nearOrAll(text, names, list, table)
  const refused = rawQuery && readParameters(rawQuery, [...Object.keys(forms), 'alarm'], near, values, table)
  if (refused) return refused
  const { alarm = '', ...filters } = values
  if (!Object.keys(filters).length) {
    const detail = `Give a filter of events: ${table.prefix}${table.feed}?kind=deadline`
    return problem(table, 'invalid-parameter', detail, Object.keys(forms))
  }
  const query = { collection: list.name, mode: 'feed', filters: {}, q: null, alarm, type }
  const strange = readFilters(query, filters, list, table, forms)
  if (strange) return strange
  const time = new RegExp(`^${pattern}$`).test(alarm) ? parseInt(alarm) * (alarm.endsWith('d') ? 24 : 1) : 0
  if (alarm && !(time > 0 && time <= hours)) {
    const detail = `alarm must be a time from ${ends[0]} to ${ends[1]}, such as 12h or 7d.`
    return problem(table, 'invalid-parameter', detail, ends)
  }
  const asked = Object.entries(alarm ? { ...query.filters, alarm } : query.filters)
  query.self = `${table.prefix}${table.feed}?${asked.map((pair) => pair.join('=')).join('&')}`
  return unprepared(query, table)
}

// The feed of a reader's query.
async function feed(reader) {
  const { query, table, manifest } = reader
  const { most, lines, current, left } = table.feeds
  const conditions = conditionsOf(reader)
  const named = conditions.filter(({ name }) => manifest.columns[name])
  const columns = named.map(({ name }) => new Column(name, reader))
  const inFeeds = seek(fill(table.index.key, { filter: current[0], value: current[1] }), reader)
  const files = [[lines, 0], ...columns.map((column) => column.listed)]
  const met = await meeting(conditions, [inFeeds], files, reader)
  const marks = new Uint8Array(manifest.count)
  for (const [body] of inFeeds.bodies) postings(body, reader, (p, level) => level || (marks[p] = 1))
  const matching = meetingAll(conditions, met)
  const positions = matching.filter((p) => marks[p])
  if (positions.length > most) {
    const detail = `This selection has ${positions.length} events; the limit is ${most}. Use more filters.`
    throw problem(table, 'invalid-parameter', detail)
  }
  const events = (await rowsAt(positions, [], reader, 'feeds')).map((line) => vevent(line, query.alarm))
  const [own, origin, opening, description, rest, empty] = texts(reader.have(lines, 0), 6)
  const labels = named.map((condition, i) => inWords(condition, columns[i], query.filters[condition.name]))
  const source = origin ? [folded(`SOURCE;VALUE=URI:${origin}${query.self}`)] : []
  const name = escaped([...labels, own].join(' · '))
  const numbers = { left: matching.length - events.length, all: matching.length }
  const about = escaped(numbers.left ? `${description}\n${fill(left, numbers)}` : description)
  const heads = [`NAME:${name}`, `X-WR-CALNAME:${name}`, `DESCRIPTION:${about}`, `X-WR-CALDESC:${about}`].map(folded)
  const inner = events.length ? events.flat() : [empty]
  return joined([opening, ...heads, rest, ...source, ...inner, 'END:VCALENDAR\r\n'])
}

// A JSON array of so many texts.
function texts(data, number) {
  try {
    const found = JSON.parse(decoded(data))
    if (Array.isArray(found) && found.length === number && found.every((text) => typeof text === 'string')) return found
  } catch {}
  throw new Damaged()
}

// The parts of an event, with an alarm such as `7d` before it.
function vevent(line, time) {
  const [event, alarm] = texts(line, 2)
  const duration = `P${time.endsWith('h') ? 'T' : ''}${time.toUpperCase()}`
  return [event, time ? `${alarm}${duration}\r\nEND:VALARM\r\n` : '', 'END:VEVENT\r\n']
}

// A constraint in words.
function inWords({ how, values = [] }, column, text) {
  const lines = column.lines()
  const labels = values.map((value) => (lines.find(([known]) => column.key(known) === column.key(value)) ?? [0, value])[1])
  const all = labels.join(how === 'all' ? ' + ' : ', ') || text
  return how === 'not' ? `not ${all}` : all
}

// A text as the value of a property (RFC 5545 section 3.3.11).
function escaped(text) {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n')
}

// A line with its end, folded at 75 octets, not in a character or an escape (RFC 5545 section 3.1).
function folded(line) {
  const bytes = encoder.encode(line)
  const parts = []
  let [start, room] = [0, 75]
  while (bytes.length - start > room) {
    let end = start + room
    while ((bytes[end] & 0xc0) === 0x80) end--
    let slashes = 0
    while (end - slashes > start && bytes[end - 1 - slashes] === 0x5c) slashes++
    end -= slashes % 2
    parts.push(bytes.subarray(start, end), '\r\n ')
    start = end
    room = 74
  }
  return joined([...parts, bytes.subarray(start), '\r\n'])
}

reading.feed = routed
answers.feed = feed
