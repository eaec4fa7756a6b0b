// What a list is downloaded and shared by.  What a download does is in ../download.mjs, which is loaded when it is asked for.
import { $$, t, told } from '../common.mjs'
import { page } from './page.mjs'

const LONG = 4000 // ms that is shown what was done

// Makes the buttons of the bar work, which say what they do in `said`; `state()` is what the list shows.
export function offer(bar, said, state) {
  const [csv, json, share] = ['csv', 'json', 'share'].map((key) => $$(`[data-key=${key}]`, bar)[0])
  let timer
  const tell = (work) => async (event) => {
    clearTimeout(timer)
    await work(event.currentTarget)
    timer = setTimeout(() => said.replaceChildren(), LONG)
  }
  csv.onclick = json.onclick = tell(async (button) => {
    try {
      await (await import(told.download)).download(button, [csv, json], said, state(), page)
    } catch {
      said.textContent = t('not_saved')
    }
  })
  // Phones know with whom; elsewhere the address is copied.
  share.onclick = tell(async () => {
    const url = location.href.split('#')[0]
    if (navigator.share && matchMedia('(pointer: coarse)').matches) return navigator.share({ title: document.title, url }).catch(() => {})
    const isDone = await Promise.resolve().then(() => navigator.clipboard.writeText(url)).then(() => true, () => false)
    said.textContent = t(isDone ? 'linked' : 'copy_failed')
  })
  return [csv, json]
}
