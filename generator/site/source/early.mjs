// Stands in the head of a page, so it runs before anything is drawn.  If the address asks for something else than the page
// came with, that is hidden (`asked`) until the script of the page shows what was asked for, which is asked at once.
{
  const { engine, manifest, api } = document.currentScript.dataset
  if (location.search.length > 1) {
    const { classList } = document.documentElement
    classList.add('asked')
    // A script that cannot be loaded hides nothing.
    addEventListener('error', ({ target }) => target.localName === 'script' && classList.remove('asked'), true)
    const response = fetch(manifest, { cache: 'no-cache' })
    const target = `${api}?mode=page&${location.search.slice(1)}`
    const answer = import(engine).then(({ ask, fetchBeside }) => {
      const isManifest = (path) => manifest.endsWith(path)
      const file = (path, init, again) =>
        isManifest(path) && !again ? response.then((one) => one.clone()) : fetchBeside(path, init, again)
      return api && ask(target, file, [0, 10])
    })
    for (const one of [response, answer]) one.catch(() => {})
    globalThis.begun = { manifest, response, at: Date.now(), target, answer }
  }
}
