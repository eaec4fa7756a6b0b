// The rows of a page that are not read yet: a place for each ten of them, read when it is nearly in view.
import { TEN, el, t } from '../common.mjs'

let near

// Adds places for the rows from `first` up to `count` to a list that is in the page and has the rows before.  `read(from, to)`
// gives the elements of rows, null if they are no longer wanted; `drawn(to)` is called when they are there.
export function reserve(list, first, count, read, drawn) {
  near?.disconnect()
  near = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) if (isIntersecting) target.fill()
    },
    { rootMargin: '50% 0%' },
  )
  const height = list.offsetHeight / first
  for (let from = first; from < count; from += TEN) list.append(place(list, from, Math.min(from + TEN, count), height, read, drawn))
}

function place(list, from, to, height, read, drawn) {
  const item = el('li.rest', { 'aria-hidden': 'true' })
  item.style.blockSize = `${height * (to - from)}px`
  item.fill = async () => {
    near.unobserve(item)
    try {
      const rows = await read(from, to)
      if (!rows || !item.isConnected) return
      item.replaceWith(...rows)
      drawn(to)
    } catch {
      const again = el('button.quiet', { type: 'button' }, t('again'))
      again.onclick = () => item.fill()
      item.removeAttribute('aria-hidden')
      item.replaceChildren(again)
    }
  }
  near.observe(item)
  return item
}
