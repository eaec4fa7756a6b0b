// Calendar feeds of selections: the events that match filters, joined from VEVENTs in the index. generator/search/feeds.py does
// the same in Python.
import { Damaged, decoded, encoder } from './bytes.mjs'
import { Column } from './columns.mjs'
import { conditionsOf, meeting, meetingAll } from './conditions.mjs'
import { postings, seek } from './keys.mjs'
import { address, joined } from './list.mjs'
import { fill, problem } from './route.mjs'
import { rowsAt } from './rows.mjs'

// The feed of a reader's query.
export async function feed(reader) {
  const { query, table, manifest } = reader
  const { most, lines, current } = table.feeds
  const conditions = conditionsOf(reader)
  const named = conditions.filter(({ name }) => manifest.columns[name])
  const columns = named.map(({ name }) => new Column(name, reader))
  const inFeeds = seek(fill(table.index.key, { filter: current[0], value: current[1] }), reader)
  const files = [[lines, 0], ...columns.map((column) => column.listed)]
  const met = await meeting(conditions, [inFeeds], files, reader)
  const marks = new Uint8Array(manifest.count)
  for (const [body] of inFeeds.bodies) postings(body, reader, (p, level) => level || (marks[p] = 1))
  const positions = meetingAll(conditions, met).filter((p) => marks[p])
  if (positions.length > most) {
    const detail = `This selection has ${positions.length} events; the limit is ${most}. Use more filters.`
    throw problem(table, 'invalid-parameter', detail)
  }
  const events = (await rowsAt(positions, [], reader, 'feeds')).map((line) => vevent(line, query.alarm))
  const [own, origin, opening, rest, empty] = texts(reader.have(lines, 0), 5)
  const labels = named.map((condition, i) => inWords(condition, columns[i], query.filters[condition.name]))
  const source = origin ? [folded(`SOURCE;VALUE=URI:${origin}${address(query, 1, table)}`)] : []
  const name = escaped([...labels, own].join(' · '))
  const inner = events.length ? events.flat() : [empty]
  return joined([opening, folded(`NAME:${name}`), folded(`X-WR-CALNAME:${name}`), rest, ...source, ...inner, 'END:VCALENDAR\r\n'])
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
