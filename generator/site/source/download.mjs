// A list as a file, read page by page; loaded by the script of lists when it is asked for.

// Where a spreadsheet would take what follows for a formula, as generator/cli/_rows.py has it.
const FORMULA = /(^|[,;|\t\r\n])(?=[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g

function cell(value) {
  const text = typeof value === 'string' ? value.replace(FORMULA, "$1'") : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}

// An own field by its key: its column, what the script of lists knows of it, and the filter of a relation.
const columnOf = (key, { isOwn }) => (isOwn ? key : `field_${key}`)
const fieldOf = (key, { fields, row: { badge } }) => fields[key] ?? (badge[0] === `fields.${key}` ? badge[3] : null)
const relationOf = (key, { row: { owners } }) => owners.find(([path]) => path === `fields.${key}`)?.[1]

// The fields of a summary with the values of a filter: references, and words of the schema or the registry.
const referring = (row, { row: { owners }, words }) => [...owners.filter(([path]) => path in row), ...Object.keys(words).filter((name) => name in row && typeof row[name] !== 'boolean').map((name) => [name, name])]

const named = (row, told) => [
  ...referring(row, told).map(([key, filter]) => [key, filter, row[key]]),
  ...Object.entries(row.tags ?? {}).map(([family, tags]) => [`tag_${family}`, `tag_${family}`, tags]),
  ...Object.entries(row.fields).map(([key, value]) => [columnOf(key, told), relationOf(key, told) ?? columnOf(key, told), value, key]),
]

// The texts of a value or of several: a number is no slug.
const texts = (value) => [value].flat().filter((one) => typeof one === 'string')

// Whether the values of an own field have labels: those of relations, and of a closed choice.
function hasNames(key, told) {
  const { type, values } = fieldOf(key, told) ?? {}
  return relationOf(key, told) !== undefined || (type === 'choice' && Object.keys(values).length > 0)
}

// A summary as the cells of a table, by column; names stand beside slugs.
function flat(row, names) {
  const cells = {}
  const put = (name, value) => (cells[name] = Array.isArray(value) ? value.join('; ') : value)
  const slugs = new Map(named(row, names.told).map(([key, ...rest]) => [key, rest]))
  const both = (key) => {
    const [filter, value, own] = slugs.get(key)
    put(key, value)
    if (typeof value !== 'number' && (own === undefined || hasNames(own, names.told))) put(`${filter}_name`, texts(value).map((slug) => names.labelOf(filter, slug)))
  }
  for (const [key, value] of Object.entries(row)) {
    if (key === 'tags' || key === 'fields') for (const own in value) both(key === 'tags' ? `tag_${own}` : columnOf(own, names.told))
    else if (key === 'counts') Object.assign(cells, value)
    else if (key === 'locations') {
      put(key, value.map(({ city, region, country }) => [city, region, country].filter(Boolean).join(', ')))
      put('countries', [...new Set(value.map(({ country }) => names.labelOf('location', country.toLowerCase())))])
    } else if (key === 'href') {
      put('page', names.address(row.slug))
      put(key, new URL(value, location.href).href)
    } else if (slugs.has(key)) both(key)
    else put(key, value)
  }
  return cells
}

// RFC 4180, after the mark by which Excel knows UTF-8.
function csv({ data }, names) {
  const rows = data.map((row) => flat(row, names))
  const columns = [...new Set(rows.flatMap(Object.keys))]
  return `\ufeff${[columns, ...rows.map((row) => columns.map((name) => row[name]))].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
}

const FORMS = { csv: [csv, 'text/csv;charset=utf-8'], json: [(list) => `${JSON.stringify(list)}\n`, 'application/json'] }

// What a file is called: the registry, the collection, what it is narrowed to, the day.
function fileName({ q, filters }, form, { told, chosen }) {
  const narrowed = told.filters.map(({ name }) => chosen(name, filters[name]))
  const words = [told.titles.registry, told.label, q, ...narrowed].join(' ').normalize('NFC').toLowerCase()
  const stem = words.replace(/[^\p{L}\p{N}\p{M}]+/gu, '-').slice(0, 90)
  return `${stem}-${new Date().toISOString().slice(0, 10)}.${form}`.replace(/^-+|-+(?=-)/g, '')
}

// The whole list of a state and its type, as a Blob; null if it was stopped.  `isOn(number, pages)` is told of each page before
// it is read, and whether to go on.
async function whole(form, state, isOn, page) {
  let [first, pages, data] = [null, 1, []]
  for (let number = 1; number <= pages; number++) {
    if (!isOn(number, first?.page.total_pages)) return null
    const answer = await page.read(state, number)
    first ??= answer
    pages = first.page.total_pages
    // A build that was put in place meanwhile has another list.
    if (answer.page.total_items !== first.page.total_items) throw new Error('The list has changed.')
    data.push(...answer.data)
  }
  if (!isOn(pages, pages)) return null
  const { schema_version, kind, query: { q, sort, filters } } = first
  const [text, type] = FORMS[form]
  if (form === 'csv') await page.complete(data.flatMap((row) => named(row, page.told)).flatMap(([, filter, value]) => texts(value).map((slug) => [filter, slug])))
  return new Blob([text({ schema_version, kind, query: { q, sort, filters }, total_items: data.length, data }, page)], { type })
}

// The pages of a list, and what its values and records are called, by what the script of lists knows (list/page.mjs).
const naming = ({ ask, complete, constraint, constraintText, labelOf, t, target, told, url }) => ({
  t,
  told,
  complete,
  read: (state, number) => ask(target({ ...state, page: number })),
  labelOf: (filter, value) => fieldOf(told.isOwn ? filter : filter.slice(6), told)?.values?.[value] ?? labelOf(filter, value),
  chosen: (name, text) => {
    const { how, values } = constraint(text)
    return values.length ? constraintText(name, how, values) : ''
  },
  address: (slug) => new URL(url(`${told.roots[told.collection]}/${slug}/`), location.href).href,
})

// Downloads the list of a state when `button` was pressed, with a button to cancel in its place and none of `buttons`; `shared` is
// list/page.mjs.
export async function download(button, buttons, said, state, shared) {
  const page = naming(shared)
  const form = button.dataset.key
  const cancel = Object.assign(document.createElement('button'), { className: 'quiet', textContent: page.t('cancel') })
  let stopped = false
  cancel.onclick = () => (stopped = true)
  for (const one of buttons) one.hidden = true
  button.before(cancel)
  cancel.focus()
  const isOn = (number, pages) => {
    said.textContent = pages ? page.t('reading', { number, pages }) : page.t('loading')
    return !stopped
  }
  try {
    const file = await whole(form, state, isOn, page)
    if (file) {
      const href = URL.createObjectURL(file)
      Object.assign(document.createElement('a'), { href, download: fileName(state, form, page) }).click()
      setTimeout(() => URL.revokeObjectURL(href), 60_000)
    }
    said.textContent = page.t(file ? 'saved' : 'cancelled')
  } finally {
    cancel.remove()
    for (const one of buttons) one.hidden = false
    button.focus()
  }
}
