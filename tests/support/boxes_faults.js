(isPrint) => {
  const faults = [], page = document.documentElement
  const of = (e) => e.tagName.toLowerCase() + (e.id ? `#${e.id}` : '') + [...e.classList].map((c) => `.${c}`).join('')
  const where = (e) => [e.parentElement?.parentElement, e.parentElement, e].filter(Boolean).map(of).join(' > ')
  const isShown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && e.getClientRects().length > 0
  const clips = (e) => { for (let a = e; a && a !== document.body; a = a.parentElement) { const { overflowX, overflowY } = getComputedStyle(a); if (overflowX !== 'visible' || overflowY !== 'visible') return true } return false }
  const words = document.createElement('canvas').getContext('2d')
  const inner = page.clientWidth
  for (const e of document.querySelectorAll('body *')) {
    if (!isShown(e) || e.closest('svg, select, iframe, dialog:not([open])')) continue
    const style = getComputedStyle(e), box = e.getBoundingClientRect()
    if (box.width <= 1 || box.height <= 1 || style.clipPath === 'inset(50%)') continue
    if (!clips(e) && (box.right > inner + 1 || box.left < -1) && style.position !== 'fixed') faults.push(`outside of the page: ${where(e)}`)
    const texts = [...e.childNodes].filter((n) => n.nodeType === 3 && n.data.trim())
    if (!texts.length || style.display === 'inline' || clips(e)) continue
    words.font = style.font
    words.letterSpacing = style.letterSpacing
    const longest = Math.max(...texts.flatMap((n) => n.data.trim().split(/[\s\u00ad\u200b/-]+/)).map((w) => words.measureText(w).width))
    const room = box.width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
    if (longest > room + 2 && longest < inner - 40 && style.hyphens !== 'auto') faults.push(`narrower than its longest word: ${where(e)}`)
  }
  for (const table of document.querySelectorAll('table')) {
    if (!isShown(table)) continue
    const body = [...table.querySelectorAll('tbody tr')].filter(isShown)
    const columns = body[0]?.cells.length ?? 0
    for (let n = 0; n < columns; n++) {
      const cells = body.map((row) => row.cells[n]).filter(Boolean)
      if (cells.length > 1 && cells.every((c) => !c.textContent.trim() && !c.querySelector('img, svg, input, button')) && isShown(cells[0])) faults.push(`an empty column: ${where(table)} ${n + 1}`)
    }
  }
  if (isPrint)
    for (const list of document.querySelectorAll('main ol, main ul, main table'))
      if (isShown(list) && list.children.length > 3 && !list.closest('svg, figure, nav, aside, details') && getComputedStyle(list).display !== 'inline') {
        const share = list.getBoundingClientRect().width / inner
        if (share < 0.5 && list.parentElement.closest('ol, ul, table, li, dd') === null) faults.push(`less than half of the page: ${where(list)}`)
      }
  return [...new Set(faults)]
}
