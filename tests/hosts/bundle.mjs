// Writes the bundles of generator/search/js/source into FOLDER/search/js, those of generator/site/source into FOLDER/site/scripts,
// and those of a feature's folder into the folder of assets of its templates: node tests/hosts/bundle.mjs FOLDER
// What features answer to queries is among the first, so that these are whole without the folder of a feature.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { minify } from 'terser'

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), '../../generator')
// CloudFront Functions run ES 5.1 with some later features: unsupported syntax stops the bundle.
const LATER = [
  'array-spread', 'async-await', 'class', 'default-argument', 'destructuring', 'for-of', 'generator', 'new-target',
  'object-extensions', 'regexp-sticky-and-unicode-flags', 'rest-argument', 'unicode-escapes',
]
const CLOUDFRONT = {
  cloudfront: { target: 'es2015', format: 'iife', supported: Object.fromEntries(LATER.map((name) => [name, false])) },
}
const EDGE = {
  edge: { target: 'es2021', format: 'iife' },
  browser: { target: 'es2021', format: 'iife' },
}
// The scripts of pages; shared code is in common.mjs, parts of a script in a folder of its name.
const scripts = (folder) => {
  const names = readdirSync(join(PACKAGE, folder)).filter((name) => name.endsWith('.mjs') && name !== 'common.mjs')
  return Object.fromEntries(names.map((name) => [name.slice(0, -4), { target: 'es2021', format: 'esm' }]))
}

// Long lines send few line breaks; several lines keep diffs readable.
const LINE = 8000

async function write(source, entries, folder, smaller = (text) => text) {
  for (const [name, options] of Object.entries(entries)) {
    const { outputFiles } = await build({
      ...options,
      entryPoints: [join(PACKAGE, source, `${name}.mjs`)],
      bundle: true,
      minify: true,
      charset: 'utf8',
      lineLimit: LINE,
      logLevel: 'warning',
      write: false,
    })
    const to = join(process.argv[2], folder)
    mkdirSync(to, { recursive: true })
    writeFileSync(join(to, `${name}.js`), await smaller(outputFiles[0].text))
  }
}

// Minifies code inside modules, which saves another three to five percent. No function here is called with `new`, so that
// expressions may become arrows.
async function terse(text) {
  const { code } = await minify(text, { module: true, ecma: 2020, compress: { passes: 3, unsafe_arrows: true }, format: { max_line_len: LINE } })
  return `${code}\n`
}

await write('search/js/source', CLOUDFRONT, 'search/js')
await write('search/js/source', EDGE, 'search/js', terse)
await write('site/source', scripts('site/source'), 'site/scripts', terse)
const features = readdirSync(join(PACKAGE, 'features'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
for (const { name } of features) await write(`features/${name}`, scripts(`features/${name}`), `features/${name}/templates/site/assets`, terse)
