// Times of events as their reader needs them: in the reader's own zone beside the source's, how long it is until then, and what
// is over.  The texts are JSON in the element `times` (templates/site/times.html.j2); every time is in the page, and stays there.

const { texts, weekdays, months, date } = JSON.parse(document.getElementById('times').textContent)
const language = document.documentElement.lang
const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR

const all = (selector) => document.querySelectorAll(selector)

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name])

// What clocks and calendars of a zone show at an instant: `{ day, month, year, weekday, time }`.
function shown(at, timeZone) {
  const asked = { year: 'numeric', month: '2-digit', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }
  const parts = new Intl.DateTimeFormat('en', asked).formatToParts(at)
  const { day, month, year, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  const number = new Date(Date.UTC(year, month - 1, day)).getUTCDay()
  return { day, month: months[month], year, weekday: weekdays[(number + 6) % 7], time: `${hour}:${minute}` }
}

// An instant in words, as it is in a zone.
function written(at, timeZone) {
  const words = shown(at, timeZone)
  return `${words.weekday}, ${fill(date, words)}, ${words.time}`
}

// The reader's own time with each that has a zone, on a record in place of that in UTC; that it is the same, where clocks there
// show the same, is told of records only.
function beside() {
  for (const time of all('time[data-zone]')) {
    const at = new Date(time.dateTime)
    const short = 'short' in time.dataset
    let same = false
    try {
      same = written(at, own) === written(at, time.dataset.zone === 'AoE' ? 'Etc/GMT+12' : time.dataset.zone)
    } catch {
      // A zone that this browser does not know.
    }
    if (short && same) continue
    const values = { ...shown(at, own), when: written(at, own), zone: own.replaceAll('_', ' ') }
    let beside = short ? null : time.parentElement.querySelector('.here')
    if (!beside) {
      beside = document.createElement('span')
      time.parentElement.append(' ', beside)
    }
    beside.className = 'here'
    beside.textContent = fill(same ? texts.same : short ? texts.yours : texts.own, values)
  }
}

// Days from one day of a calendar to another, whatever the hours that they have.
const midnight = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate())
const whole = (date) => date.length === 10
const days = (now, date) => (Date.parse(`${date}T00:00:00Z`) - midnight(now)) / DAY

// How long it is from now until an instant, or a date, in words.
function until(now, time) {
  if (whole(time)) return relative.format(days(now, time), 'day')
  const at = new Date(time), left = at - now
  if (Math.abs(left) < HOUR) return relative.format(Math.ceil(left / MINUTE), 'minute')
  if (Math.abs(left) < DAY) return relative.format(Math.trunc(left / HOUR), 'hour')
  return relative.format((midnight(at) - midnight(now)) / DAY, 'day')
}

const passed = (now, time, last) => (whole(time) ? days(now, time) < (last ? 0 : 1) : new Date(time) <= now)

// What is next of an event: `opens`, `closes`, `due`, `starts`, `ends` or `over`, and how long that takes.
function next(now, { kind, starts, ends }) {
  if (passed(now, ends, true)) return texts.over
  const [begin, end] = { application_window: ['opens', 'closes'], deadline: ['due', 'due'] }[kind] ?? ['starts', 'ends']
  const before = starts && starts !== ends && !passed(now, starts, false)
  const what = before ? begin : starts === ends ? begin : end
  if (kind === 'event' && whole(ends) && !before && days(now, starts) <= 0) {
    return days(now, ends) > 0 ? fill(texts.ends, { in: until(now, ends) }) : texts.today
  }
  return fill(texts[what], { in: until(now, before ? starts : ends) })
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text
  element.hidden = false
}

function tick() {
  const now = new Date()
  for (const element of all('[data-countdown]')) {
    put(element, next(now, element.dataset))
    element.classList.toggle('is-over', passed(now, element.dataset.ends, true))
  }
  for (const element of all('[data-over]')) element.hidden = !passed(now, element.dataset.ends, true)
  for (const time of all('time[data-ago]')) {
    time.dataset.day ??= time.textContent
    time.textContent = `${time.dataset.day} (${until(now, time.dateTime)})`
  }
  const today = new Date(midnight(now)).toISOString().slice(0, 10)
  for (const day of all('.day time')) {
    if (day.dateTime === today) day.parentElement.setAttribute('aria-current', 'date')
    else day.parentElement.removeAttribute('aria-current')
  }
}

beside()
tick()
// Once a minute, with the clock; what nobody sees waits until somebody does.
let timer
function wait() {
  clearTimeout(timer)
  if (document.hidden) return
  timer = setTimeout(() => {
    tick()
    wait()
  }, MINUTE - (Date.now() % MINUTE) + 50)
}
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) tick()
  wait()
})
wait()
