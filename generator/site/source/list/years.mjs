// A bar for each year, by which a range of years is chosen: a press on one, or a drag over several.
// The fewest years that have a chart, and the most.
const [FEWEST, MOST] = [3, 120]

// The chart of some { value, count }, made with functions of common.mjs, null if they are too few or too far apart; [low, high] is the range that is chosen.  `choose(low,
// high)` is called with years.
export function yearChart({ el, number }, values, [low, high], choose) {
  const counts = new Map(values.map(({ value, count }) => [Number(value), count ?? 0]))
  const first = Math.min(...counts.keys())
  const span = Math.max(...counts.keys()) - first + 1
  if (counts.size < FEWEST || span > MOST) return null
  const most = Math.max(...counts.values(), 1)
  const bars = Array.from({ length: span }, (_, i) => {
    const count = counts.get(first + i) ?? 0
    const bar = el('span', { title: `${first + i}: ${number(count)}` }, el('span'))
    bar.firstChild.style.blockSize = count ? `${Math.max(4, (100 * count) / most)}%` : 0
    return bar
  })
  const chart = el('div.bars.years', { 'aria-hidden': 'true' }, bars)
  const mark = (from, to) => bars.forEach((bar, i) => bar.classList.toggle('in', first + i >= from && first + i <= to))
  const isAny = low || high
  const reset = () => mark(isAny ? Number(low) : -Infinity, Number(high) || Infinity)
  const yearAt = ({ clientX }) => {
    const { left, width } = chart.getBoundingClientRect()
    return first + Math.min(span - 1, Math.max(0, Math.floor((span * (clientX - left)) / width)))
  }
  let from = null
  const ends = (event) => [from, yearAt(event)].sort((a, b) => a - b)
  chart.onpointerdown = (event) => {
    from = yearAt(event)
    chart.setPointerCapture(event.pointerId)
    mark(from, from)
  }
  chart.onpointermove = (event) => from !== null && mark(...ends(event))
  chart.onpointercancel = () => {
    from = null
    reset()
  }
  chart.onpointerup = (event) => {
    if (from === null) return
    const [start, end] = ends(event)
    from = null
    choose(start, end)
  }
  reset()
  return el('div', {}, chart, el('p.ends', { 'aria-hidden': 'true' }, el('span', {}, String(first)), el('span', {}, String(first + span - 1))))
}
