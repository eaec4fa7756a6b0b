// What a refused request probably meant: the address of the whole query, which is answered.
import { meantAddresses } from './addresses.mjs'

// Add `try` to the problem document of a refusal. `answer(address)` gives the Response to another address, `read(path)` the
// bytes of a file; both throw if the request has read too much.
export async function withTry(response, request, answer, read, table) {
  const problem = JSON.parse(await response.text())
  const { pathname, search } = new URL(request.url)
  const [before, tried] = [pathname + search, new Set()]
  try {
    const addresses = meantAddresses(pathname, search.slice(1), problem, read, table)
    for (let one = await addresses.next(); !one.done; ) {
      const isNew = one.value && one.value !== before && !tried.has(one.value)
      tried.add(one.value)
      const found = isNew ? await answer(one.value) : undefined
      if (found?.ok) problem.try = one.value
      if (found?.status === 308) problem.try = found.headers.get('location')
      if (problem.try) break
      one = await addresses.next(found)
    }
  } catch {
    // A refusal without it is right, too.
  }
  return new Response(`${JSON.stringify(problem)}\n`, { status: response.status, headers: response.headers })
}
