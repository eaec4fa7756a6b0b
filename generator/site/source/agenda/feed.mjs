// The feed of what is shown, in the menu "Subscribe".
import { $, $$, el, t, told } from '../common.mjs'
import { labelOf } from '../list/labels.mjs'
import { capitalized } from '../list/title.mjs'

const menu = $('#subscribe')
const alarm = $('#alarm')
const more = el('p.soft.small', { role: 'status' })
$('#subscribe .of')?.after(more)

// The path of the feed of the list with the chosen filters and alarm, and the filters that it has, with that of the list: the
// smallest feed that the host has and that has all of these dates.  It keeps dates that are over, so that they stay in the
// calendar of a subscriber.
function feedOf(filters) {
  const { of, every, value, prepared, selection } = told.feeds
  const asked = { ...of, ...filters }
  const pairs = Object.entries(asked)
  const singles = pairs.filter(([name, text]) => prepared.includes(name) && !/[,:]/.test(text))
  const single = singles.find(([name]) => name !== 'kind') ?? singles[0]
  if (selection && (alarm?.value || pairs.length > (single ? 1 : 0))) {
    const all = [...(pairs.length ? pairs : [['upcoming', 'true']]), ...(alarm?.value ? [['alarm', alarm.value]] : [])]
    return [`${selection}?${all.map((pair) => pair.join('=')).join('&')}`, asked, true]
  }
  if (!single) return [every, {}, !pairs.length]
  const [name, text] = single
  return [value.replace(':name', name).replace(':value', text), { [name]: text }, pairs.length === 1]
}

// The links to the feed of what is shown, which is called `heading`; if there is none, to one with more dates, which says so.
function follow({ q, filters }, heading, ownHeading) {
  const [path, has, isExact] = feedOf(filters)
  const [[name, value] = []] = Object.entries(has)
  const larger = !name ? t('every') : name in told.feeds.of ? ownHeading : name === 'kind' ? told.kinds[value] : labelOf(name, value)
  const file = (told.feeds.base || location.origin) + path
  const webcal = file.replace(/^https?/, 'webcal')
  const google = `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(webcal)}`
  const outlook = `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(file)}`
  const hrefs = { file, webcal, google, outlook }
  for (const link of $$('[data-feed]', menu)) link.href = hrefs[link.dataset.feed]
  $('code', menu).textContent = file
  $('.of', menu).textContent = isExact ? heading : capitalized(larger)
  more.textContent = isExact && !q.trim() ? '' : t('feed_more')
}

let last // what was followed last

export function subscribe(...of) {
  last = of
  if (menu) follow(...of)
}

if (alarm) {
  alarm.closest('p').hidden = false
  alarm.addEventListener('change', () => follow(...last))
}
