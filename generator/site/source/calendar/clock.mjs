// What clocks and calendars show: times of events in a zone, how long it is until then, and what is over.  The texts are JSON in
// the element `times` (templates/site/times.html.j2).

export const { texts, weekdays, months, date } = JSON.parse(document.getElementById('times').textContent)
const language = document.documentElement.lang
export const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
export const MINUTE = 60_000
const HOUR = 60 * MINUTE, DAY = 24 * HOUR

export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

// What clocks and calendars of a zone show at an instant: `{ day, month, year, weekday, time }`.
export function shown(at, timeZone) {
  const asked = { year: 'numeric', month: '2-digit', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }
  const parts = new Intl.DateTimeFormat('en', asked).formatToParts(at)
  const { day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  const number = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return { day, month: months[month], year, weekday: weekdays[(number + 6) % 7], time: `${hour}:${minute}` }
}

// An instant in words, as it is in a zone.
export function written(at, timeZone) {
  const words = shown(at, timeZone)
  return `${words.weekday}, ${fill(date, words)}, ${words.time}`
}

// Days from one day of a calendar to another, whatever the hours that they have.
export const midnight = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
export const whole = (date) => date.length === 10
export const days = (now, date) => (Date.parse(`${date}T00:00:00Z`) - midnight(now)) / DAY

// How long it is from now until an instant, or a date, in words.
export function until(now, time) {
  if (whole(time)) return relative.format(days(now, time), 'day')
  const at = new Date(time), left = at - now
  if (Math.abs(left) < HOUR) return relative.format(Math.ceil(left / MINUTE), 'minute')
  if (Math.abs(left) < DAY) return relative.format(Math.trunc(left / HOUR), 'hour')
  return relative.format((midnight(at) - midnight(now)) / DAY, 'day')
}

// Whether a time is over; a window without an end has none, and is never over.
export const passed = (now, time, last) =>
  time !== undefined && (whole(time) ? days(now, time) < (last ? 0 : 1) : new Date(time) <= now)

// What is next of an event: `opens`, `closes`, `due`, `starts`, `ends`, `open` or `over`, and how long that takes.
export function next(now, { kind, starts, ends }) {
  if (passed(now, ends, true)) return texts.over
  const [begin, end] = { application_window: ['opens', 'closes'], deadline: ['due', 'due'] }[kind] ?? ['starts', 'ends']
  const before = starts && starts !== ends && !passed(now, starts, false)
  if (!ends && !before) return texts.open
  const what = before ? begin : starts === ends ? begin : end
  if (kind === 'event' && whole(ends) && !before && days(now, starts) <= 0) {
    return days(now, ends) > 0 ? fill(texts.ends, { in: until(now, ends) }) : texts.today
  }
  return fill(texts[what], { in: until(now, before ? starts : ends) })
}

