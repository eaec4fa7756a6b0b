// The page for a missing address: it goes on to the page that the address means, or offers the records with the nearest names.
import { $, Refused, ask, el, t, told, url } from './common.mjs'

const path = location.pathname.slice(url('').length)
const parts = path
  .replace(/(?:\/index)?\.html?$/i, '')
  .split('/')
  .filter(Boolean)
  .map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })

// The form of every address: lower case, hyphens for all that is no letter or digit.
const slug = (text) =>
  text.normalize('NFKD').replace(/\p{M}|['’]/gu, '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '')

// Goes to another path of the site, if it has a page; never back to this one.
async function goOn(to) {
  if (to === path) return false
  const answer = await fetch(url(to), { method: 'HEAD' }).catch(() => null)
  if (answer?.ok) location.replace(url(to) + location.search + location.hash)
  return Boolean(answer?.ok)
}

// The slug of the record with a name, and else the slugs that are nearest to it.
async function recordLike(root, name) {
  try {
    const { data } = await ask(`${root}/${name}`)
    return [data.replaced_by ?? data.slug, []]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return [error.problem?.data?.replaced_by, error.problem?.allowed ?? []]
  }
}

async function find() {
  const [first, name] = parts.map(slug)
  const place = told.collections.find(({ root }) => root === `/${first}/`)
  if (!place || !name) return parts.length > 0 && goOn(`/${parts.map(slug).join('/')}/`)
  if (parts.length > 2) return goOn(`${place.root}${parts.slice(1).map(slug).join('/')}/`)
  const [known, near] = await recordLike(place.api, name)
  if (known && (await goOn(`${place.root}${known}/`))) return true
  const links = near.map((one) => el('a.button.quiet', { href: url(`${place.root}${one}/`) }, one.replaceAll('-', ' ')))
  if (links.length) $('#near').replaceChildren(el('p', {}, t('near')), el('p.row', {}, links))
  return false
}

const words = parts.at(-1)?.replace(/[-_+]+/g, ' ') ?? ''
if (path !== told.own) {
  if ($('#find-words')) $('#find-words').value = words.slice(0, 200)
  find().catch(() => {})
}
