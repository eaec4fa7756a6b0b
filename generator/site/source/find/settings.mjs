// What the search box knows of the site (generator/site/finder.py).
import { adopt, t } from '../common.mjs'

export let settings // known when they were read

export async function readSettings(path) {
  const response = await fetch(path)
  if (response.ok) settings = adopt(await response.text())
}

export const plain = (text) => encodeURIComponent(text).replace(/%20/g, '+')

// A number of records of a collection in words.
export const amount = (name, count) => t('count', { count, ...settings.collections[name] })
