// Times of events as their reader needs them: in the reader's own zone before the source's, how long it is until then, and what
// is over.  The texts are JSON in the element `times` (templates/site/times.html.j2); every time is in the page, and stays there.
import { MINUTE, fill, gone, local, next, own, passed, present, pressing, shown, texts, until, written } from './calendar/clock.mjs'
import { forget, pinned } from './calendar/pins.mjs'
import './calendar/adding.mjs'

const all = (selector) => document.querySelectorAll(selector)

// The reader's own time before each time of the source that is ahead, unless clocks there show the same; that they do is said on
// records only, where it is also in place of UTC.  A list says once whose zone that is.
function before(now) {
  const said = document.getElementById('zone')
  for (const time of all('time[data-local]')) {
    const { local: there, short } = time.dataset
    delete time.dataset.local
    if (passed(now, time.dateTime)) continue
    const at = new Date(time.dateTime)
    const same = local(at) === there
    const place = time.parentElement
    if (short === undefined) place.querySelector('.utc')?.remove()
    else if (same) continue
    const here = document.createElement('span')
    here.className = 'here'
    if (short !== undefined) here.textContent = fill(said ? texts.short : texts.yours, shown(at))
    else here.textContent = same ? texts.same : fill(texts.own, { when: written(at), zone: own() })
    if (same) place.append(' ', here)
    else place.prepend(here, ' ')
    if (said) put(said, fill(texts.zone, { zone: own() }))
  }
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text
  element.hidden = false
}

// What each date of a timeline is now: over, open, the next one, or none of these.
function states(now, list) {
  let isNext = true
  for (const { classList, dataset: { kind, starts, ends }, lastElementChild } of list.children) {
    if (classList.contains('off')) continue
    const isOver = passed(now, ends, true)
    const isOpen = !isOver && starts && starts !== ends && passed(now, starts, false)
    const state = isOver ? 'over' : isOpen ? 'open' : isNext ? 'next' : ''
    if (state === 'next') isNext = false
    const badge = lastElementChild.querySelector('[data-state]')
    classList.toggle('over', isOver)
    badge.classList.toggle('good', !isOver)
    put(badge, isOver ? gone(kind) : (texts[state] ?? ''))
    badge.hidden = !state
  }
}

function tick() {
  const now = present()
  for (const element of all('[data-countdown]')) {
    const of = element.closest('[data-kind]')
    put(element, next(now, of.dataset))
    const tone = pressing(now, of.dataset)
    for (const name of ['warn', 'bad']) element.classList.toggle(name, name === tone)
    of.classList.toggle('is-over', passed(now, of.dataset.ends, true))
  }
  for (const list of all('.steps')) states(now, list)
  for (const time of all('time[data-ago]')) {
    time.dataset.day ??= time.textContent
    time.textContent = `${time.dataset.day} (${until(now, time.dateTime)})`
  }
  for (const day of all('.day time')) {
    if (day.dateTime === now.day) day.closest('.day').setAttribute('aria-current', 'date')
    else day.closest('.day').removeAttribute('aria-current')
  }
}

before(present())
tick()
for (const button of all('[data-pin]')) {
  if (passed(present(), button.closest('[data-kind]').dataset.ends, true)) forget([button.dataset.pin])
  pinned(button, button.dataset.pin)
}
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
  before(present())
  tick()
})
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) tick()
  wait()
})
wait()
