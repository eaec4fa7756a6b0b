// The search box of every page: `/`, Ctrl+K and Cmd+K put the focus there, and its script is loaded when it has it.
const form = document.getElementById('find')
if (form) {
  const { q } = form.elements
  let script
  const begin = () => {
    script ??= import(new URL(form.dataset.script, location.href)).catch(() => {
      script = null
    })
  }
  q.addEventListener('focus', begin)
  if (document.activeElement === q) begin()
  q.nextElementSibling.hidden = false
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event
    const isSlash = key === '/' && !(ctrlKey || metaKey || altKey) && !target.closest('input, select, textarea')
    const isK = key === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
    if (!isSlash && !isK) return
    event.preventDefault()
    q.focus()
    q.select()
  })
}
