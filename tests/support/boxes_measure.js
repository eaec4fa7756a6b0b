([step, alike]) => {
  const of = (e) => e.tagName.toLowerCase() + [...e.classList].filter((c) => !/\d/.test(c)).map((c) => `.${c}`).join('')
  const hides = ({ display, visibility, opacity, clipPath }) => display === 'none' || visibility !== 'visible' || opacity === '0' || clipPath === 'inset(50%)'
  const REPLACED = new Set(['img', 'svg', 'input', 'select', 'textarea', 'button', 'canvas', 'video', 'iframe', 'summary'])
  const BLOCKS = new Set(['header', 'nav', 'main', 'aside', 'footer', 'section', 'article', 'form', 'figure', 'table', 'ul', 'ol', 'dl', 'fieldset', 'pre', 'dialog'])
  const hasText = (e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
  const rows = []
  function walk(e, depth) {
    const style = getComputedStyle(e)
    if (hides(style)) return
    const { left, top, width, height } = e.getBoundingClientRect()
    if (style.display !== 'contents' && (width <= 1 || height <= 1) && style.overflow !== 'visible') return
    const tag = e.tagName.toLowerCase()
    const shown = style.display !== 'contents' && width > 1 && height > 1
    if (shown && (REPLACED.has(tag) || BLOCKS.has(tag) || hasText(e))) {
      const box = [left + scrollX, top + scrollY, width, height].map((n) => Math.round(n / step))
      rows.push([depth, of(e), ...box])
      depth += 1
    }
    if (tag === 'svg' || tag === 'select') return
    const seen = {}
    for (const child of e.children) {
      const name = of(child)
      seen[name] = (seen[name] ?? 0) + 1
      if (seen[name] <= alike) walk(child, depth)
    }
  }
  walk(document.body, 0)
  return rows
}
