// In browsers: the functions of more.mjs, in a second script that is fetched when it is first needed.

// The functions; none of them if the script cannot be read or is from another version.
let functions

// A function is needed, and the second script was not fetched yet.
export class Unfetched extends Error {}

export const later = (name) => (...given) => {
  if (!functions) throw new Unfetched()
  return functions[name]?.(...given) ?? []
}

// Fetch the second script. It exports one function, whose name has the check of both scripts.
export async function fetchMore({ file, check }) {
  const script = await import(`${file}?${check}`).catch(() => null)
  script?.[`of${check}`]?.(edge.shared)
  functions = edge.shared.more ?? {}
}
