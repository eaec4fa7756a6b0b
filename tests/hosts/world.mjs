// Writes the map of the world that the site draws: node tests/hosts/world.mjs FILE
//
// Of npm world-atlas, which is Natural Earth (public domain): countries at 1:110m, projected to Equal Earth (Šavrič, Patterson,
// Jenny 2018), on a grid of whole numbers.  Borders are arcs that two countries share, simplified once, which leaves no gap
// between them.  Countries too small to have a shape are points, of the shapes at 1:10m.
import { readFileSync, writeFileSync } from 'node:fs'

const WIDTH = 1000
const TOLERANCE = 0.45 // of a grid step, how far a border may move
const SMALLEST = 1.5 // area of an island that is drawn, but for a country's largest
const NORTH = 84
const SOUTH = -57 // Antarctica has no country

// Territories with their own code that Natural Earth includes in another country or draws without a code: longitude and latitude
// of a point.
const APART = {
  BQ: [-68.3, 12.2], BV: [3.4, -54.4], CC: [96.8, -12.2], CX: [105.7, -10.5], GP: [-61.5, 16.2], MQ: [-61, 14.7],
  RE: [55.5, -21.1], TK: [-171.8, -9.2], XK: [20.9, 42.6], YT: [45.1, -12.8],
}
// Territories with a shape: their rings in the other country.
const PARTS = { GF: ['FR', ([lon]) => lon < -40], SJ: ['NO', ([, lat]) => lat > 74] }

const read = (name) => JSON.parse(readFileSync(new URL(`node_modules/world-atlas/${name}.json`, import.meta.url)))
// ISO 3166-1 numeric -> alpha-2, from CLDR's territories.
const code = (id) => (id === undefined ? undefined : Intl.getCanonicalLocales(`und-${id}`)[0].slice(4))

function projected([lon, lat]) {
  const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796]
  const theta = Math.asin((Math.sqrt(3) / 2) * Math.sin((lat * Math.PI) / 180))
  const [t2, t6] = [theta ** 2, theta ** 6]
  const slope = a1 + 3 * a2 * t2 + t6 * (7 * a3 + 9 * a4 * t2)
  const x = ((2 * Math.sqrt(3)) / 3) * ((lon * Math.PI) / 180) * (Math.cos(theta) / slope)
  return [x, -theta * (a1 + a2 * t2 + t6 * (a3 + a4 * t2))]
}

const SCALE = WIDTH / 2 / projected([180, 0])[0]
const TOP = projected([0, NORTH])[1] * SCALE
const HEIGHT = Math.round(projected([0, SOUTH])[1] * SCALE - TOP)
const onGrid = (place) => {
  const [x, y] = projected(place)
  return [Math.round(x * SCALE + WIDTH / 2), Math.round(y * SCALE - TOP)]
}

// The lists of [longitude, latitude] of a topology's arcs: they are stored as deltas on the topology's grid.
function arcsOf({ arcs, transform: { scale, translate } }) {
  return arcs.map((arc) => {
    let [x, y] = [0, 0]
    return arc.map(([dx, dy]) => [(x += dx) * scale[0] + translate[0], (y += dy) * scale[1] + translate[1]])
  })
}

// Line simplification by Douglas and Peucker: the points that shape the line.
function simplified(points) {
  if (points.length < 3) return points
  const [[x1, y1], [x2, y2]] = [points[0], points.at(-1)]
  const length = Math.hypot(x2 - x1, y2 - y1)
  const far = ([x, y]) =>
    length ? Math.abs((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length : Math.hypot(x - x1, y - y1)
  let [most, at] = [TOLERANCE, 0]
  for (let i = 1; i < points.length - 1; i++) if (far(points[i]) > most) [most, at] = [far(points[i]), i]
  if (!at) return [points[0], points.at(-1)]
  return [...simplified(points.slice(0, at + 1)).slice(0, -1), ...simplified(points.slice(at))]
}

// The rings of a geometry, each of arcs; one that is not given as it is drawn (~i) runs the other way.  A ring that crosses the
// meridian of 180 degrees goes on beyond it.
function ringsOf({ type, arcs }, every) {
  const polygons = type === 'Polygon' ? [arcs] : (arcs ?? [])
  return polygons.flat().map((ring) => {
    let before
    const parts = ring.map((i) => {
      const onwards = (i < 0 ? every[~i].toReversed() : every[i]).map(([lon, lat]) => {
        before = lon - 360 * Math.round((lon - (before ?? lon)) / 360)
        return [before, lat]
      })
      return i < 0 ? { points: onwards.toReversed(), turned: true } : { points: onwards }
    })
    const east = parts.some(({ points }) => points.some(([lon]) => lon < -180)) ? 360 : 0
    return parts.map(({ points, turned }) => ({ points: points.map(([lon, lat]) => [lon + east, lat]), turned }))
  })
}

// The points of a ring on the grid; each arc is simplified in its stored direction, so both countries get the same points.
const outline = (ring) =>
  ring.flatMap(({ points, turned }) => {
    const border = simplified(points.map(onGrid))
    return (turned ? border.toReversed() : border).slice(1)
  })

const area = (ring) =>
  Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring.at(i - 1)[1] - ring.at(i - 1)[0] * y, 0)) / 2

function path(rings) {
  return rings
    .map((ring) => {
      let [x, y] = ring[0]
      const steps = ring.slice(1).map(([nx, ny]) => {
        const step = `${nx - x}${ny < y ? '' : ' '}${ny - y}`
        ;[x, y] = [nx, ny]
        return step
      })
      return `M${ring[0].join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`
    })
    .join('')
}

function drawn(rings) {
  const largest = Math.max(...rings.map(area))
  return path(rings.filter((ring) => ring.length > 2 && (area(ring) >= SMALLEST || area(ring) === largest)))
}

const coarse = read('countries-110m')
const places = arcsOf(coarse)
const [shapes, rest] = [{}, []]
for (const geometry of coarse.objects.countries.geometries) {
  const own = code(geometry.id)
  if (own === 'AQ') continue
  let rings = ringsOf(geometry, places)
  if (!own) rest.push(...rings.map(outline))
  for (const [part, [whole, isPart]] of Object.entries(PARTS)) {
    if (whole !== own) continue
    const apart = (ring) => ring.every(({ points }) => points.every(isPart))
    shapes[part] = drawn(rings.filter(apart).map(outline))
    rings = rings.filter((ring) => !apart(ring))
  }
  if (own) shapes[own] = drawn(rings.map(outline))
}

const fine = read('countries-10m')
const finePlaces = arcsOf(fine)
const dots = Object.fromEntries(Object.entries(APART).map(([own, place]) => [own, onGrid(place)]))
for (const geometry of fine.objects.countries.geometries) {
  const own = code(geometry.id)
  if (!own || own === 'AQ' || shapes[own] || dots[own]) continue
  const rings = ringsOf(geometry, finePlaces).map((ring) => ring.flatMap(({ points }) => points.slice(1)))
  const [largest] = rings.sort((a, b) => area(b) - area(a))
  const middle = [0, 1].map((axis) => largest.reduce((sum, place) => sum + place[axis], 0) / largest.length)
  dots[own] = onGrid(middle)
}

const named = (of) => Object.fromEntries(Object.keys(of).sort().map((own) => [own.toLowerCase(), of[own]]))
const world = { width: WIDTH, height: HEIGHT, shapes: named(shapes), dots: named(dots), rest: drawn(rest) }
writeFileSync(process.argv[2], `${JSON.stringify(world).replaceAll(/(?<=[}"\]]),"/g, ',\n"')}\n`)
