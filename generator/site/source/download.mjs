// A list as a file, read page by page; loaded by the script of lists when it is asked for.

// Where a spreadsheet would take what follows for a formula, as generator/cli/ask/_show.py has it.
const FORMULA = /(^|[,;|\t\r\n])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g

function cell(value) {
  const text = typeof value === 'string' ? value.replace(FORMULA, "$1'") : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}

// A summary as the cells of a table, by column.
function flat(row) {
  const cells = {}
  const put = (name, value) => (cells[name] = Array.isArray(value) ? value.join('; ') : value)
  for (const [key, value] of Object.entries(row)) {
    if (key === 'tags') for (const family in value) put(`tag_${family}`, value[family])
    else if (key === 'fields') for (const own in value) put(`field_${own}`, value[own])
    else if (key === 'locations') put(key, value.map(({ city, region, country }) => [city, region, country].filter(Boolean).join(', ')))
    else put(key, key === 'href' ? new URL(value, location.href).href : value)
  }
  return cells
}

// RFC 4180.
function csv({ data }) {
  const rows = data.map(flat)
  const columns = [...new Set(rows.flatMap(Object.keys))]
  return [columns, ...rows.map((row) => columns.map((name) => row[name]))].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

const FORMS = { csv: [csv, 'text/csv;charset=utf-8'], json: [(list) => `${JSON.stringify(list)}\n`, 'application/json'] }

// The text of a whole list and its type, as a Blob; null where it was stopped.  `page(number)` gives the document of a page, and
// `isOn(number, pages)` is told of each before it is read and whether to go on.
export async function whole(form, page, isOn) {
  let [first, pages, data] = [null, 1, []]
  for (let number = 1; number <= pages; number++) {
    if (!isOn(number, first?.page.total_pages)) return null
    const answer = await page(number)
    first ??= answer
    pages = first.page.total_pages
    // A build that was put in place meanwhile has another list.
    if (answer.page.total_items !== first.page.total_items) throw new Error('The list has changed.')
    data.push(...answer.data)
  }
  if (!isOn(pages, pages)) return null
  const { schema_version, kind, query: { q, sort, filters } } = first
  const [text, type] = FORMS[form]
  return new Blob([text({ schema_version, kind, query: { q, sort, filters }, total_items: data.length, data })], { type })
}
