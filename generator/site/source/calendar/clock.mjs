// What clocks and calendars show: times of events in the reader's zone, how long it is until then, and what is over.  The texts
// are JSON in the element `times` (templates/site/times.html.j2).

export const { texts, weekdays, months, date } = JSON.parse(document.getElementById('times').textContent)
export const MINUTE = 60_000
const HOUR = 60 * MINUTE, DAY = 24 * HOUR
const YEAR = 365.25 // days; two and more are said as years

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])
const two = (number) => String(number).padStart(2, '0')

// A time zone for people, as generator/site/labels.py has it: `UTC−12 (AoE)`, `Los Angeles`, `UTC+3` of `Etc/GMT-3`.
export function zoneName(name) {
  if (name === 'Etc/GMT+12') return 'UTC−12 (AoE)'
  const [, sign, hours] = /^(?:Etc\/)?GMT([+-])(\d+)$/.exec(name) ?? []
  if (hours) return +hours ? `UTC${sign === '+' ? '−' : '+'}${hours}` : 'UTC'
  return name.split('/').at(-1).replaceAll('_', ' ')
}
export const own = () => zoneName(new Intl.DateTimeFormat().resolvedOptions().timeZone)

// What the reader's clock and calendar show at an instant: `{ day, month, year, weekday, time }`, and as one text
// `2026-11-30T23:59`.
export function shown(at) {
  const month = months[two(at.getMonth() + 1)]
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`
  return { day: at.getDate(), month, year: at.getFullYear(), weekday: weekdays[(at.getDay() + 6) % 7], time }
}
export const localDay = (at) => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
export const local = (at) => `${localDay(at)}T${shown(at).time}`

// An instant in words.
export function written(at) {
  const words = shown(at)
  return `${words.weekday}, ${fill(date, words)}, ${words.time}`
}

// The present: the instant, and as texts the instant in UTC and the reader's day, which compare with the times of events.
export const present = (at = new Date()) => ({ at, instant: `${at.toISOString().slice(0, 19)}Z`, day: localDay(at) })

// Days from one day of a calendar to another, whatever the hours that they have.
const midnight = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
export const whole = (date) => date.length === 10

// A number of units in words; Intl.RelativeTimeFormat takes a slow phone longer than a whole list.
function relative(number, unit) {
  const count = Math.abs(number)
  const words = texts[number < 0 ? 'ago' : 'in'][unit]
  if (unit === 'day' && count >= 2 * YEAR) return fill(texts[number < 0 ? 'ago' : 'in'].year, { count: Math.round(count / YEAR) })
  return words[count] ?? fill(count === 1 ? words.one : words.other, { count })
}

// How long it is from now until an instant, or a date, in words.
export function until(now, time) {
  if (whole(time)) return relative((Date.parse(`${time}T00:00:00Z`) - midnight(now.at)) / DAY, 'day')
  const at = new Date(time), left = at - now.at
  if (Math.abs(left) < HOUR) return relative(Math.ceil(left / MINUTE), 'minute')
  if (Math.abs(left) < DAY) return relative(Math.trunc(left / HOUR), 'hour')
  return relative((midnight(at) - midnight(now.at)) / DAY, 'day')
}

// Whether a time is over; a window without an end has none, and is never over.
export function passed(now, time, last) {
  if (time === undefined) return false
  return whole(time) ? time < now.day || (!last && time === now.day) : time <= now.instant
}

// What a date that is over is: only an event takes place.
export const gone = (kind) => (kind === 'event' ? texts.over : texts.closed)

// Whether a date with a beginning of its own has not begun.
const isBefore = (now, { starts, ends }) => starts && starts !== ends && !passed(now, starts, false)

// How pressing what is next of an event is, as the class of its colour: `bad` if less than three days are left, `warn` if less
// than 14, else ''.  That something opens is not pressing.
export function pressing(now, event) {
  const { kind, starts, ends } = event
  const before = isBefore(now, event)
  const time = before ? starts : ends
  if (!time || passed(now, ends, true) || (before && kind === 'application_window')) return ''
  const left = (whole(time) ? Date.parse(`${time}T00:00:00Z`) - midnight(now.at) : new Date(time) - now.at) / DAY
  return left < 3 ? 'bad' : left < 14 ? 'warn' : ''
}

// What is next of an event: `opens`, `closes`, `due`, `starts`, `ends`, `open`, `closed` or `over`, and how long that takes.
export function next(now, event) {
  const { kind, starts, ends } = event
  if (passed(now, ends, true)) return gone(kind)
  const [begin, end] = { application_window: ['opens', 'closes'], deadline: ['due', 'due'] }[kind] ?? ['starts', 'ends']
  const before = isBefore(now, event)
  if (!ends && !before) return texts.open
  const what = before ? begin : starts === ends ? begin : end
  if (kind === 'event' && whole(ends) && !before && starts <= now.day) return ends > now.day ? fill(texts.ends, { in: until(now, ends) }) : texts.today
  return fill(texts[what], { in: until(now, before ? starts : ends) })
}
