// "Add to calendar": a menu beside the time of a record.  A row of a list has a link to it; the menu is then read from the page of
// the record.

const close = (menu, hasFocus) => {
  menu.open = false
  if (hasFocus) menu.firstElementChild.focus()
}

async function fetched(link) {
  const response = await fetch(link.pathname)
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  return document.importNode(page.querySelector('.adding'), true)
}

document.addEventListener('click', async (event) => {
  const { target } = event
  for (const menu of document.querySelectorAll('.adding[open]')) if (!menu.contains(target)) close(menu)
  const link = target.closest?.('a.add')
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  try {
    const menu = await fetched(link)
    menu.removeAttribute('id')
    menu.open = true
    link.replaceWith(menu)
    menu.firstElementChild.focus()
  } catch {
    location.href = link.href
  }
})

// The address of a page may ask for its menu, by the id of that.
function ask() {
  const menu = document.getElementById(location.hash.slice(1))
  if (menu?.matches('.adding')) menu.open = true
}
ask()
addEventListener('hashchange', ask)

document.addEventListener('keydown', ({ key, target }) => {
  const menu = key === 'Escape' && target.closest?.('.adding[open]')
  if (menu) close(menu, true)
})
