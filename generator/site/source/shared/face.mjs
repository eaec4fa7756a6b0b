// The logo of a record, or the initials of its name in a colour of its own.
import { el } from '../common.mjs'

// The first letters of the first two words of a name, as in generator/site/labels.py.
const initials = (name) => name.split(/\s+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word) ?? []).slice(0, 2).join('').toUpperCase()

// The number of the colour of a name's initials, as in generator/site/colours.py.
const hue = (name) => [...name].reduce((number, letter) => (number * 31 + letter.codePointAt(0)) >>> 0, 0) % 8

export const face = ({ name, logo }) =>
  el(logo ? 'span.face' : `span.face.hue-${hue(name)}`, { 'aria-hidden': 'true' }, logo ? el('img', { src: logo, alt: '', width: 40, height: 40, loading: 'lazy' }) : initials(name))
