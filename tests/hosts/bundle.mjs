// Writes the bundles of generator/search/js/source into FOLDER/search/js, those of generator/site/source into FOLDER/site/scripts,
// and those of a feature's folder into the folder of assets of its templates: node tests/hosts/bundle.mjs FOLDER
// What features answer to queries is among the first, so that these are whole without the folder of a feature.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { minify } from 'terser'

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), '../../generator')
// CloudFront Functions run ES 5.1 with some later features: unsupported syntax stops the bundle.
const NEWER = [
  'array-spread', 'async-await', 'class', 'default-argument', 'destructuring', 'for-of', 'generator', 'new-target',
  'object-extensions', 'regexp-sticky-and-unicode-flags', 'rest-argument', 'unicode-escapes',
]
const SOURCE = join(PACKAGE, 'search/js/source')
// Gives a module these lines.
const instead = (filter, lines) => ({
  name: 'instead',
  setup(bundle) {
    bundle.onResolve({ filter }, () => ({ path: 'instead', namespace: 'instead' }))
    bundle.onLoad({ filter: /^/, namespace: 'instead' }, () => ({ contents: lines.join('\n'), resolveDir: SOURCE }))
  },
})
// The function for CloudFront parses no queries.
const UNREAD = instead(/^\.\/asked\.mjs$/, ['export const reading = null'])
const CLOUDFRONT = {
  cloudfront: { target: 'es2015', format: 'iife', supported: Object.fromEntries(NEWER.map((name) => [name, false])), plugins: [UNREAD] },
}
const EDGE = { target: 'es2021', format: 'iife' }

// The engine of browsers is two scripts: browser.js, and more.js with the modules of the folder more/. What these take
// from other modules browser.js gives them in `edge.shared`; the functions of more.mjs become those of later.mjs.
const named = (text, pattern) => [...text.matchAll(pattern)].map(([, names, from]) => [names.split(', '), from])
const taken = new Map()
for (const name of readdirSync(join(SOURCE, 'more'))) {
  const text = readFileSync(join(SOURCE, 'more', name), 'utf8')
  for (const [names, from] of named(text, /^import \{ (.+) \} from '\.(\.\/.+)'/gm)) {
    for (const one of names) {
      if ((taken.get(one) ?? from) !== from) throw new Error(`more/ takes ${one} from ${from} and ${taken.get(one)}.`)
      taken.set(one, from)
    }
  }
}
const offered = named(readFileSync(join(SOURCE, 'more.mjs'), 'utf8'), /^export \{ (.+) \}/gm).flatMap(([names]) => names)
const shared = [...taken.keys()].sort().join(', ')
const LATER = instead(/^\.\/more\.mjs$/, [
  "import { later } from './later.mjs'",
  ...offered.map((name) => `export const ${name} = later('${name}')`),
  ...[...taken].map(([name, from]) => `import { ${name} } from '${from}'`),
  `edge.shared = { ${shared} }`,
])
const SHARED = instead(/^\.\.\//, [`export const { ${shared} } = edge`])
const ENTRY = `import { ${offered.join(', ')} } from './more.mjs'; edge.more = { ${offered.join(', ')} }`
const ENGINE = {
  edge: EDGE,
  browser: { ...EDGE, plugins: [LATER] },
  more: { ...EDGE, plugins: [SHARED], entryPoints: [], stdin: { contents: ENTRY, resolveDir: SOURCE } },
}

// The scripts of pages; shared code is in common.mjs, parts of a script in a folder of its name. early.mjs is no module.
const scripts = (folder) => {
  const names = readdirSync(join(PACKAGE, folder)).filter((name) => name.endsWith('.mjs') && name !== 'common.mjs')
  return Object.fromEntries(names.map((name) => [name.slice(0, -4), { target: 'es2021', format: name === 'early.mjs' ? 'iife' : 'esm' }]))
}

// Long lines send few line breaks; several lines keep diffs readable.
const LINE = 8000

async function write(source, entries, folder, smaller = (text) => text) {
  for (const [name, options] of Object.entries(entries)) {
    const { outputFiles } = await build({
      entryPoints: [join(PACKAGE, source, `${name}.mjs`)],
      ...options,
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

// The same with no later syntax than the text has, which has arrows.
async function terseAsIs(text) {
  const { code } = await minify(text, { ecma: 5, compress: { passes: 3, ecma: 2015, unsafe_arrows: true }, format: { max_line_len: LINE } })
  return `${code}\n`
}

await write('search/js/source', CLOUDFRONT, 'search/js', terseAsIs)
await write('search/js/source', ENGINE, 'search/js', terse)
await write('site/source', scripts('site/source'), 'site/scripts', terse)
const features = readdirSync(join(PACKAGE, 'features'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
for (const { name } of features) await write(`features/${name}`, scripts(`features/${name}`), `features/${name}/templates/site/assets`, terse)
