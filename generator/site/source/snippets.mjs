// Where a word of a search is in a text that rows do not show: an excerpt of that text.  The script of lists loads this for a
// search; each file is read when nothing else is to be done, for rows on the screen alone.

const AROUND = 70 // characters before a word
const LENGTH = 200
const idle = window.requestIdleCallback ?? ((then) => setTimeout(then, 200))

let watching

// Watches the rows of a list; another list ends it.  `mark(text)` marks the words of the search, each of `words(text)` one of
// them; `address(slug)` is that of a record's file.
export function snippets(list, words, mark, address) {
  watching?.disconnect()
  watching = new IntersectionObserver((entries, mine) => {
    for (const { target: row, isIntersecting } of entries) {
      if (!isIntersecting) continue
      mine.unobserve(row)
      row.isSearched = true
      const missing = words.filter((word) => !isMarked(word, row.querySelector('.what').innerText))
      if (missing.length) idle(() => row.isConnected && add(row, missing, mark, address(row.summary.slug)).catch(() => {}))
    }
  })
  for (const row of list.children) if (row.summary && !row.isSearched) watching.observe(row)
}

const isMarked = (mark, text) => mark(text).some((part) => typeof part !== 'string')

async function add(row, missing, mark, address) {
  const { data } = await (await fetch(address)).json()
  const texts = [data.description && plain(data.description), data.founders?.join(', '), data.former_names?.join(', ')].filter(Boolean)
  const text = texts.find((one) => missing.some((word) => isMarked(word, one)))
  if (!text || !row.isConnected) return
  const parts = missing.map((word) => word(text)).find((found) => found.length > 1 || typeof found[0] !== 'string')
  const at = typeof parts[0] === 'string' ? parts[0].length : 0
  const shown = Object.assign(document.createElement('p'), { className: 'snippet', dir: 'auto' })
  shown.append(...mark(excerpt(text, at)))
  row.querySelector('.what').append(shown)
}

// A description without its marks of CommonMark, and with what links are called in place of them.
const plain = (text) =>
  text
    .replace(/^[ \t]*(?:(?:#{1,6}|>|[-+*]|\d{1,9}[.)])[ \t]+|(?:```|~~~).*$|\[[^\]]+\]:.*$)/gm, '')
    .replace(/!?\[([^\]]{0,200})\]\(https?:[^)]*\)/gi, '$1')
    .replace(/(^|[^\w*`])(\*{1,3}|_{1,3}|`+)(\S|\S.{0,200}?\S)\2(?!\w)/g, '$1$3')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')

// About two lines of a text around a place, cut between words.
function excerpt(text, at) {
  const from = at > AROUND ? text.indexOf(' ', at - AROUND) + 1 : 0
  const cut = text.slice(from, from + LENGTH)
  const rest = from + LENGTH < text.length
  return `${from ? '… ' : ''}${rest ? cut.slice(0, Math.max(cut.lastIndexOf(' '), AROUND * 2)) : cut}${rest ? ' …' : ''}`.replace(/\s+/g, ' ')
}
