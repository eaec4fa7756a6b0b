// Values of a filter that mean the same: an abbreviation and its words, one word and two, singular and plural, the same
// words in another order; generator/search/vocabulary.py finds a first pair by the same rules.

// The known values that mean nearly the same as a value, in their order.
export function synonymsOf(value, known) {
  const { whole, short } = formsOf(value)
  return known.filter((other) => {
    if (other === value) return false
    const its = formsOf(other)
    return [...its.whole, ...its.short].some((form) => whole.includes(form)) || its.whole.some((form) => short.includes(form))
  })
}

// The normal forms of a value, which values with one meaning share, and its abbreviations.
function formsOf(value) {
  const words = value.split('-').filter((word) => word).map(singular)
  const short = words.length > 1 ? [words.map((word) => word[0]).join('')] : []
  return { whole: [words.join(''), [...words].sort().join(' ')], short }
}

const singular = (word) => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
