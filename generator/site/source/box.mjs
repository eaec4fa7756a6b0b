// The search box of every page: `/` puts the focus there, and its script is loaded when it has it.
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
  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (key !== '/' || event.metaKey || event.ctrlKey || event.altKey || target.closest('input, select, textarea')) return
    event.preventDefault()
    q.focus()
  })
}
