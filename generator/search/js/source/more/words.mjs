// The words that find a record with a text or a name, as Python writes them into the index.
import { ARTICLE, LETTER, WITH_APOSTROPHES, isPaired, isSign, queryWordsOf, runsIn, spaced, withoutApostrophes, wordsOf, wordsOfRun } from '../folding.mjs'

const WITH_HYPHENS = new RegExp(`${LETTER}+(?:-${LETTER}+)+`, 'g')

// The words that find a record with this text in a registry of this language; the same as
// generator.text.words.index_words.
export function indexWordsOf(text, table, language = '') {
  const apart = spaced(text, table)
  const runs = runsIn(apart)
  const unspaced = runs.filter((run) => isPaired(run.codePointAt(0)) && Array.from(run).length > 1).join('')
  const letters = Array.from(unspaced).filter((letter) => !isSign(letter))
  const hyphenated = [withoutApostrophes(apart), apart].flatMap((one) => one.match(WITH_HYPHENS) ?? [])
  const behind = (apart.match(WITH_APOSTROPHES) ?? []).flatMap(behindArticles)
  const umlauts = /^de(-|$)/.test(language) ? text.split(' ').filter((word) => UMLAUT.test(word)).join(' ') : ''
  return [
    ...[...runs, ...behind.flatMap(runsIn)].flatMap(wordsOfRun),
    ...letters,
    ...hyphenated.flatMap((word) => wordsOf(word.replace(/-/g, ''), table)),
    ...(umlauts && indexWordsOf(umlauts.replace(new RegExp(UMLAUT, 'g'), spell), table)),
  ]
}

// What is behind the elided articles of a word, of at most three.
function behindArticles(word) {
  const parts = word.split("'")
  const rests = parts.slice(0, 3).map((_, i) => parts.slice(i).join("'"))
  return rests.filter((rest) => ARTICLE.test(rest)).map((rest) => rest.replace(ARTICLE, ''))
}

// Letters that German also spells with an e.
const UMLAUT = /[äöüÄÖÜ]|[aouAOU]\u0308/
const spell = ([letter]) => `${letter.normalize('NFD')[0]}e`

// Characters of which Unicode versions may differ in what is a capital; a name with one is not divided at capitals.
const OF_UNKNOWN_CASE = /[^\0-\xa9\xab-\xb9\xbb-\u017f\u0300-\u036f\u0590-\u109f\u1100-\u139f\u2010-\u205f\u2e80-\ua63f\uac00-\ud7ff]/

// The words that find a record with this name; the same as generator.text.words.name_words.
export function nameWordsOf(name, table, language = '') {
  const written = wordsOf(name, table)
  const joined = written.slice(1).map((word, i) => written[i] + word)
  const apart = joined.filter((word) => !Array.from(word).some((letter) => isPaired(letter.codePointAt(0))))
  const divided = OF_UNKNOWN_CASE.test(name) ? name : name.replace(/\p{Ll}(?=\p{Lu})/gu, '$& ')
  return [...indexWordsOf(name, table, language), ...apart, ...queryWordsOf(divided, table)]
}
