// What browsers seldom need: the advice of refusals and of answers without records, and mode=rows. Each function gives a list,
// or a promise of one. The bundle for browsers has none of these modules: it fetches a second script with them (later.mjs),
// and if it cannot, the lists are empty. From other modules those in the folder more/ take only functions, classes and
// constants.
export { alternatives } from './more/alternatives.mjs'
export { notesOnMarks } from './more/marks.mjs'
export { narrow } from './more/narrow.mjs'
export { aboutValues, nearSlugs } from './more/near.mjs'
export { nearest } from './more/nearest.mjs'
export { suggested } from './more/suggested.mjs'
