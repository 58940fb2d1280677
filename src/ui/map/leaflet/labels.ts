import { getLocalizedNames } from '~/src/i18n/locale'
import { TILE_EXTENT } from '../tileSource'
import { TILE_SIZE } from './tilePainter'
import type { SourceTile, TileFeature } from '../tileSource'
import type { MapColors } from './mapColors'

/** A tile on the screen with its position. */
export interface VisibleTile {
  parts: readonly SourceTile[]
  x: number
  y: number
  /** Side length on the screen, in pixels. */
  size: number
}

export interface LabelOptions {
  zoom: number
  width: number
  height: number
  language: string
  colors: MapColors
  /** True shows fewer names of shops and offices, for a map with a route. */
  hasFewerLabels: boolean
}

interface Candidate {
  text: string
  x: number
  y: number
  size: number
  weight: number
  color: string
  /** Lower numbers are placed first. */
  order: number
  dot?: string
  spacing?: number
  /** Alternative offsets in pixels down, tried when the first place is taken. */
  shifts?: readonly number[]
  road?: { angle: number; length: number }
}

type Measure = (text: string, size: number, weight: number, spacing: number) => number

/** Maximum distance in pixels between a road and the straight name written on it. */
const MAX_BEND_PX = 4
const MIN_REPEAT_PX = 300
const CELL_PX = 48

/** Returns the zoom level from which a place of this rank has a label. */
const getPoiZoom = (rank: number, quiet: boolean) =>
  rank >= 7 ? (quiet ? 15 : 14) : rank >= 5 ? 16 : rank >= 3 ? 17 : 18

const getCountryName = (code: unknown, language: string, fallback: string): string =>
  typeof code === 'string' ? (getLocalizedNames(language, 'region').of(code) ?? fallback) : fallback

/** Returns a place's name in the reader's language, where the map has it. */
export const getLocalizedName = (
  { properties }: Pick<TileFeature, 'properties'>,
  language: string,
): string =>
  String(properties[`name:${language.slice(0, 2).toLowerCase()}`] ?? properties.name ?? '')

/**
 * Returns the longest nearly straight section of a line: its middle, direction and length in
 * pixels; null for a line of one point. A street's name is written along it.
 */
export const findStraightestSection = (
  points: readonly (readonly [number, number])[],
): { x: number; y: number; angle: number; length: number } | null => {
  let best: { from: number; to: number; length: number } | null = null
  let from = 0
  for (let to = 1; to < points.length; to++) {
    while (from < to - 1 && isBent(points, from, to)) from++
    const [a, b] = [points[from]!, points[to]!]
    const length = Math.hypot(b[0] - a[0], b[1] - a[1])
    if (!best || length > best.length) best = { from, to, length }
  }
  if (!best) return null
  const [a, b] = [points[best.from]!, points[best.to]!]
  let angle = Math.atan2(b[1] - a[1], b[0] - a[0])
  // Keeps the text from being upside down.
  if (angle > Math.PI / 2) angle -= Math.PI
  if (angle < -Math.PI / 2) angle += Math.PI
  return { x: (a[0] + b[0]) / 2, y: (a[1] + b[1]) / 2, angle, length: best.length }
}

const isBent = (points: readonly (readonly [number, number])[], from: number, to: number) => {
  const [a, b] = [points[from]!, points[to]!]
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1
  for (let i = from + 1; i < to; i++) {
    const p = points[i]!
    const off = Math.abs((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])) / length
    if (off > MAX_BEND_PX) return true
  }
  return false
}

type Box = readonly [west: number, north: number, east: number, south: number]
type XY = readonly [number, number]

/** Returns the pieces of a line inside a box. */
export const clipLine = (points: readonly XY[], [west, north, east, south]: Box): XY[][] => {
  const pieces: XY[][] = []
  let piece: XY[] = []
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!]
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
    let [from, to] = [0, 1]
    for (const [delta, room] of [
      [-dx, a[0] - west],
      [dx, east - a[0]],
      [-dy, a[1] - north],
      [dy, south - a[1]],
    ] as const) {
      if (delta < 0) from = Math.max(from, room / delta)
      else if (delta > 0) to = Math.min(to, room / delta)
      else if (room < 0) to = -1
    }
    if (from > to) {
      piece = []
      continue
    }
    const at = (part: number): XY => [a[0] + dx * part, a[1] + dy * part]
    if (from > 0 || piece.length === 0) pieces.push((piece = [at(from)]))
    piece.push(at(to))
    if (to < 1) piece = []
  }
  return pieces
}

/** A part of a visible tile, and the functions that place its features on the screen. */
interface PlacedPart extends Pick<LabelOptions, 'zoom' | 'language' | 'colors' | 'hasFewerLabels'> {
  tile: VisibleTile['parts'][number]['tile']
  scale: number
  /** The part of the screen around the tile. */
  around: Box
  place: (line: Int16Array, i?: number) => [number, number]
  isHere: (position: readonly [number, number]) => boolean
  /** Adds the label of a point. */
  addPoint: (feature: TileFeature, label: Omit<Candidate, 'x' | 'y'>) => void
  add: (label: Candidate) => void
}

const addPlaceNames = ({ tile, zoom, language, colors, addPoint }: PlacedPart): void => {
  if (zoom < 6)
    for (const country of tile.country ?? []) {
      const { code, area } = country.properties
      const name = getCountryName(code, language, getLocalizedName(country, language))
      addPoint(country, {
        text: name.toLocaleUpperCase(language),
        size: 11,
        weight: 500,
        color: colors.country,
        order: 1_000 - Math.min(900, Number(area)),
        spacing: 1,
      })
    }
  if (zoom < 12)
    for (const city of tile.city ?? []) {
      const population = Number(city.properties.population)
      if (Number(city.properties.from) > zoom) continue
      addPoint(city, {
        text: getLocalizedName(city, language),
        size: population > 1e6 ? 15 : population > 1e5 ? 13 : 12,
        weight: population > 1e6 ? 600 : 500,
        color: colors.text,
        order: 500 - Math.log(population || 1) * 10,
        shifts: [0, 24, -24],
      })
    }
  if (zoom < 12 || zoom >= 17) return
  for (const quarter of tile.place ?? []) {
    if (quarter.properties.kind === 'city') continue
    addPoint(quarter, {
      text: getLocalizedName(quarter, language).toLocaleUpperCase(language),
      size: zoom > 13 ? 12 : 11,
      weight: 500,
      color: colors.text,
      order: 600,
      spacing: 1,
    })
  }
}

const addPointsOfInterest = (part: PlacedPart): void => {
  const { tile, zoom, language, colors, hasFewerLabels, addPoint } = part
  for (const poi of tile.poi ?? []) {
    const rank = Number(poi.properties.rank)
    if (zoom < getPoiZoom(rank, hasFewerLabels)) continue
    addPoint(poi, {
      text: getLocalizedName(poi, language),
      size: 11,
      weight: 400,
      color: colors.poi,
      order: 900 - rank * 10,
      dot: colors.kinds[String(poi.properties.kind)] ?? colors.poi,
    })
  }
}

/** Returns the longest straight section of a road that lies in the tile. */
const findSectionHere = (
  { lines }: TileFeature,
  { scale, around, place, isHere }: PlacedPart,
): ReturnType<typeof findStraightestSection> => {
  let best: ReturnType<typeof findStraightestSection> = null
  for (const line of lines) {
    const points: [number, number][] = []
    for (let i = 0; i < line.length; i += 2) points.push(place(line, i))
    // An enlarged tile is clipped to the part around this one, because a street's middle may be far
    // away.
    const pieces = scale > 1 ? clipLine(points, around) : [points]
    for (const piece of pieces) {
      const section = findStraightestSection(piece)
      if (section && isHere([section.x, section.y]) && section.length > (best?.length ?? 0))
        best = section
    }
  }
  return best
}

const addRoadNames = (part: PlacedPart): void => {
  const { tile, zoom, language, colors, add } = part
  const least = zoom < 14 ? 6 : zoom < 15 ? 5 : 4
  for (const road of tile.road ?? []) {
    if (!road.properties.name || Number(road.properties.rank) < least) continue
    const section = findSectionHere(road, part)
    if (!section) continue
    add({
      text: getLocalizedName(road, language),
      x: section.x,
      y: section.y,
      size: 11.5,
      weight: 500,
      color: colors.road,
      order: 800 - Number(road.properties.rank) * 10 - Math.min(9, section.length / 40),
      road: section,
    })
  }
}

const collectCandidates = (tiles: readonly VisibleTile[], options: LabelOptions): Candidate[] => {
  const { width, height } = options
  const candidates: Candidate[] = []
  for (const { parts, x, y, size } of tiles) {
    const ratio = size / TILE_SIZE
    const isHere = ([px, py]: readonly [number, number]) =>
      px >= x && px < x + size && py >= y && py < y + size
    for (const { tile, scale, left, top } of parts) {
      const unit = (TILE_SIZE * scale) / TILE_EXTENT
      const place = (line: Int16Array, i = 0): [number, number] => [
        (line[i]! * unit - left) * ratio + x,
        (line[i + 1]! * unit - top) * ratio + y,
      ]
      const part: PlacedPart = {
        ...options,
        tile,
        scale,
        around: [x - size / 2, y - size / 2, x + size * 1.5, y + size * 1.5],
        place,
        isHere,
        addPoint: (feature, label) => {
          const at = feature.lines[0] && place(feature.lines[0])
          // Points in a tile's margin belong to its neighbor, which draws them too.
          if (label.text && at && isHere(at)) candidates.push({ ...label, x: at[0], y: at[1] })
        },
        add: (label) => void candidates.push(label),
      }
      addPlaceNames(part)
      addPointsOfInterest(part)
      addRoadNames(part)
    }
  }
  return candidates.filter(({ x, y }) => x >= 0 && y >= 0 && x <= width && y <= height)
}

/** Wraps a long name into at most three lines of about `most` characters. */
export const wrapText = (text: string, most = 15): string[] => {
  if (text.length <= most - 1) return [text]
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1]
    if (last === undefined || `${last} ${word}`.length > most) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.slice(0, 3)
}

export interface PlacedLabel extends Candidate {
  lines: string[]
}

/** Returns the labels that fit without overlap, most important first. */
export const placeLabels = (
  tiles: readonly VisibleTile[],
  options: LabelOptions,
  measure: Measure,
): PlacedLabel[] => {
  const takenBoxes = new Map<number, Box[]>()
  const getCells = function* ([west, north, east, south]: Box) {
    for (let c = Math.floor(west / CELL_PX); c <= Math.floor(east / CELL_PX); c++)
      for (let r = Math.floor(north / CELL_PX); r <= Math.floor(south / CELL_PX); r++)
        yield c * 4_096 + r
  }
  const isTaken = (box: Box) => {
    for (const cell of getCells(box))
      for (const other of takenBoxes.get(cell) ?? []) {
        if (other[0] < box[2] && other[2] > box[0] && other[1] < box[3] && other[3] > box[1])
          return true
      }
    return false
  }
  const take = (box: Box) => {
    for (const cell of getCells(box)) {
      const list = takenBoxes.get(cell)
      if (list) list.push(box)
      else takenBoxes.set(cell, [box])
    }
  }
  const roads = new Map<string, Candidate[]>()
  const placed: PlacedLabel[] = []
  const candidates = collectCandidates(tiles, options).sort(
    (a, b) => a.order - b.order || (a.text < b.text ? -1 : 1),
  )
  for (const one of candidates) {
    // Arabic letters join; letter spacing would break up words.
    if (one.spacing && /\p{Script=Arabic}/u.test(one.text)) one.spacing = 0
    const lines = one.road ? [one.text] : wrapText(one.text)
    const width = Math.max(
      ...lines.map((line) => measure(line, one.size, one.weight, one.spacing ?? 0)),
    )
    let box: Box
    if (one.road) {
      if (one.road.length < width * 0.95) continue
      const isRepeated = roads
        .get(one.text)
        ?.some((other) => Math.hypot(other.x - one.x, other.y - one.y) < MIN_REPEAT_PX)
      if (isRepeated) continue
      const { angle } = one.road
      const across = (Math.abs(Math.cos(angle)) * width + Math.abs(Math.sin(angle)) * 14) / 2 + 3
      const down = (Math.abs(Math.sin(angle)) * width + Math.abs(Math.cos(angle)) * 14) / 2 + 3
      box = [one.x - across, one.y - down, one.x + across, one.y + down]
    } else {
      const height = lines.length * one.size * 1.15
      const top = one.dot ? one.y - 5 : one.y - height / 2 - 3
      const bottom = top + height + (one.dot ? 14 : 6)
      box = [one.x - width / 2 - 4, top, one.x + width / 2 + 4, bottom]
    }
    const isInside =
      box[0] >= 0 && box[1] >= 0 && box[2] <= options.width && box[3] <= options.height
    if (!isInside) continue
    const [west, north, east, south] = box
    const shift = (one.shifts ?? [0]).find(
      (down) => !isTaken([west, north + down, east, south + down]),
    )
    if (shift === undefined) continue
    box = [west, north + shift, east, south + shift]
    one.y += shift
    take(box)
    if (one.road) roads.set(one.text, [...(roads.get(one.text) ?? []), one])
    placed.push({ ...one, lines })
  }
  return placed
}

const FONT = 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'

/** Sets the page's own font on a canvas, for measuring and drawing text. */
export const setFont = (
  context: CanvasRenderingContext2D,
  size: number,
  weight: number,
  spacing: number,
): void => {
  context.font = `${weight} ${size}px ${FONT}`
  if ('letterSpacing' in context) context.letterSpacing = `${spacing}px`
}

/** Draws labels at their computed places. */
export const drawLabels = (
  context: CanvasRenderingContext2D,
  labels: readonly PlacedLabel[],
  colors: MapColors,
): void => {
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.strokeStyle = colors.halo
  context.lineWidth = 3
  const write = (text: string, x: number, y: number) => {
    context.strokeText(text, x, y)
    context.fillText(text, x, y)
  }
  for (const one of labels) {
    setFont(context, one.size, one.weight, one.spacing ?? 0)
    if (one.dot) {
      context.beginPath()
      context.arc(one.x, one.y, 3.6, 0, 7)
      context.fillStyle = colors.halo
      context.fill()
      context.beginPath()
      context.arc(one.x, one.y, 2.7, 0, 7)
      context.fillStyle = one.dot
      context.fill()
    }
    context.fillStyle = one.color
    if (one.road) {
      context.save()
      context.translate(one.x, one.y)
      context.rotate(one.road.angle)
      write(one.text, 0, 0)
      context.restore()
      continue
    }
    const lineHeight = one.size * 1.15
    const first = one.dot
      ? one.y + 7 + lineHeight / 2
      : one.y - ((one.lines.length - 1) * lineHeight) / 2
    one.lines.forEach((line, i) => write(line, one.x, first + i * lineHeight))
  }
}
