// What a list of dates is called with what is chosen: "Upcoming climate deadlines in Germany".
import { told } from '../common.mjs'
import { constraint } from '../list/state.mjs'
import { capitalized, filled, oneOf, phraseOf } from '../list/title.mjs'

export function headingOf(filters) {
  const { kind, ...others } = filters
  const { how, values } = constraint(kind)
  const isKind = values.length > 0 && !how
  const noun = isKind ? oneOf(values.map((value) => told.kinds[value] ?? value)) : told.many
  return capitalized(filled(told.title, { many: phraseOf(isKind ? others : filters, noun) }))
}
