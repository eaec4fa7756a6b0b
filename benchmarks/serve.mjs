// Questions from stdin, answers to stdout, line by line; engine.py tells what they hold.
import { createInterface } from 'node:readline'

export async function serve(answer) {
  console.log('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line)
    const began = performance.now()
    const bytes = await answer(question)
    const seconds = (performance.now() - began) / 1000
    const { page, data } = JSON.parse(new TextDecoder().decode(bytes))
    console.log(JSON.stringify({ seconds, total: page.total_items, slugs: data.map(({ slug }) => slug) }))
  }
}
