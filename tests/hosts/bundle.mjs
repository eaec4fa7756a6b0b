// Writes the bundles of generator/edge/source into a folder: node tests/hosts/bundle.mjs FOLDER
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const SOURCE = join(dirname(fileURLToPath(import.meta.url)), '../../generator/edge/source')
// CloudFront Functions run ES 5.1 with some of what came later: what they are not known to run stops the bundle.
const LATER = [
  'array-spread', 'async-await', 'class', 'default-argument', 'destructuring', 'for-of', 'generator', 'new-target',
  'object-extensions', 'regexp-sticky-and-unicode-flags', 'rest-argument', 'unicode-escapes',
]
const TARGETS = {
  edge: { target: 'es2021' },
  cloudfront: { target: 'es2015', supported: Object.fromEntries(LATER.map((name) => [name, false])) },
}

for (const [name, options] of Object.entries(TARGETS)) {
  await build({
    ...options,
    entryPoints: [join(SOURCE, `${name}.mjs`)],
    outfile: join(process.argv[2], `${name}.js`),
    bundle: true,
    format: 'iife',
    minify: true,
    charset: 'utf8',
    // For whoever reads what changed.
    lineLimit: 120,
    logLevel: 'warning',
  })
}
