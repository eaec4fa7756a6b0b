// Times of events as their reader needs them: in the reader's own zone beside the source's, how long it is until then, and what
// is over.  The texts are JSON in the element `times` (templates/site/times.html.j2); every time is in the page, and stays there.
import { MINUTE, fill, midnight, next, own, passed, shown, texts, until, written } from './calendar/clock.mjs'

const all = (selector) => document.querySelectorAll(selector)

// The reader's own time with each that has a zone, on a record in place of that in UTC; that it is the same, where clocks there
// show the same, is told of records only.
function beside() {
  for (const time of all('time[data-zone]:not([data-beside])')) {
    time.dataset.beside = ''
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

function put(element, text) {
  if (element.textContent !== text) element.textContent = text
  element.hidden = false
}

// What each date of a timeline is now: over, open, the next one, or none of these.
function states(now, list) {
  let isNext = true
  for (const { classList, dataset: { starts, ends }, lastElementChild } of list.children) {
    if (classList.contains('off')) continue
    const isOver = passed(now, ends, true)
    const isOpen = !isOver && starts && starts !== ends && passed(now, starts, false)
    const state = isOver ? 'over' : isOpen ? 'open' : isNext ? 'next' : ''
    if (state === 'next') isNext = false
    const badge = lastElementChild.querySelector('[data-state]')
    classList.toggle('over', isOver)
    badge.classList.toggle('good', !isOver)
    put(badge, texts[state] ?? '')
    badge.hidden = !state
  }
}

function tick() {
  const now = new Date()
  for (const element of all('[data-countdown]')) {
    put(element, next(now, element.dataset))
    element.classList.toggle('is-over', passed(now, element.dataset.ends, true))
  }
  for (const element of all('[data-over]')) element.hidden = !passed(now, element.dataset.ends, true)
  for (const list of all('.steps')) states(now, list)
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
// Rows of other pages, which a list of dates has put into this one.
document.addEventListener('dates', () => {
  beside()
  tick()
})
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) tick()
  wait()
})
wait()
