// What scripts that are loaded later use of the script of their page: a bundle of their own would know nothing of its labels.
import { $, ask, el, number, reasonOf, refill, t, told, url } from '../common.mjs'
import { complete, constraintText, labelOf, learned } from './labels.mjs'
import { keep, recall } from './memory.mjs'
import { constraint, endOf, having, joined, query, target, toggled, words } from './state.mjs'

export const page = {
  $, ask, el, number, reasonOf, refill, t, told, url,
  complete, constraintText, labelOf, learned,
  keep, recall,
  constraint, endOf, having, joined, query, target, toggled, words,
}
