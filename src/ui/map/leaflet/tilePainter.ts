import { TILE_EXTENT } from '../tileSource'
import type { SourceTile, TileFeature } from '../tileSource'
import type { MapColors } from './mapColors'

export const TILE_SIZE = 256

type WidthStops = readonly (readonly [zoom: number, width: number])[]

interface RoadStyle {
  fill: 'minor' | 'secondary' | 'primary' | 'trunk'
  casing: 'casing' | 'trunkCasing'
  width: WidthStops
  from: number
}

/** From the least to the most important road: later ones are drawn over earlier ones. */
const ROAD_STYLES: Record<string, RoadStyle> = {
  service: {
    fill: 'minor',
    casing: 'casing',
    width: [
      [13, 0.4],
      [15, 2],
      [18, 10],
    ],
    from: 13,
  },
  minor: {
    fill: 'minor',
    casing: 'casing',
    width: [
      [12, 0.5],
      [14, 2.4],
      [16, 8],
      [18, 20],
    ],
    from: 12,
  },
  tertiary: {
    fill: 'minor',
    casing: 'casing',
    width: [
      [11, 0.6],
      [14, 4],
      [16, 11],
      [18, 26],
    ],
    from: 11,
  },
  secondary: {
    fill: 'secondary',
    casing: 'casing',
    width: [
      [10, 0.6],
      [14, 5],
      [16, 13],
      [18, 30],
    ],
    from: 10,
  },
  primary: {
    fill: 'primary',
    casing: 'trunkCasing',
    width: [
      [9, 0.8],
      [14, 6],
      [16, 14],
      [18, 32],
    ],
    from: 9,
  },
  trunk: {
    fill: 'trunk',
    casing: 'trunkCasing',
    width: [
      [9, 1],
      [14, 6.5],
      [16, 15],
      [18, 34],
    ],
    from: 9,
  },
  motorway: {
    fill: 'trunk',
    casing: 'trunkCasing',
    width: [
      [9, 1],
      [14, 6.5],
      [16, 15],
      [18, 34],
    ],
    from: 9,
  },
}

/** Returns the width between two stops; it grows exponentially, like the map, not linearly. */
export const getWidthAt = (stops: WidthStops, zoom: number): number => {
  const first = stops[0]!
  if (zoom <= first[0]) return first[1]
  for (let i = 1; i < stops.length; i++) {
    const [a, b] = [stops[i - 1]!, stops[i]!]
    if (zoom > b[0]) continue
    const part = (1.5 ** (zoom - a[0]) - 1) / (1.5 ** (b[0] - a[0]) - 1)
    return a[1] + (b[1] - a[1]) * part
  }
  return stops[stops.length - 1]![1]
}

/** Widths in pixels, by zoom. */
const WIDTHS = {
  waterway: [
    [11, 0.6],
    [16, 4],
  ],
  pier: [
    [11, 0.8],
    [14, 4],
    [17, 14],
  ],
  runway: [
    [11, 0.8],
    [14, 4],
    [17, 24],
  ],
  path: [
    [14, 0.8],
    [18, 3],
  ],
  rail: [
    [10, 0.5],
    [16, 3],
  ],
} as const satisfies Record<string, WidthStops>

interface StrokeOptions {
  isWanted?: (feature: TileFeature) => boolean
  dash?: number[]
}

/** Returns the functions that draw the layers of a tile, without what the canvas does not show. */
const createBrush = (context: CanvasRenderingContext2D, { tile, scale, left, top }: SourceTile) => {
  const unit = (TILE_SIZE * scale) / TILE_EXTENT
  // The part of the enlarged tile on this canvas, with a margin for the thickest stroke.
  const margin = 24
  const visibleBox = [
    (left - margin) / unit,
    (top - margin) / unit,
    (left + TILE_SIZE + margin) / unit,
    (top + TILE_SIZE + margin) / unit,
  ] as const
  const isSeen = ({ box }: TileFeature) =>
    box[2] >= visibleBox[0] &&
    box[3] >= visibleBox[1] &&
    box[0] <= visibleBox[2] &&
    box[1] <= visibleBox[3]
  const trace = ({ lines, type }: TileFeature) => {
    for (const line of lines) {
      for (let i = 0; i < line.length; i += 2) {
        const x = line[i]! * unit - left
        const y = line[i + 1]! * unit - top
        if (i) context.lineTo(x, y)
        else context.moveTo(x, y)
      }
      if (type === 3) context.closePath()
    }
  }
  return {
    unit,
    isSeen,
    fill: (layer: string, getColor: (feature: TileFeature) => string) => {
      for (const feature of tile[layer] ?? []) {
        if (!isSeen(feature)) continue
        context.beginPath()
        trace(feature)
        context.fillStyle = getColor(feature)
        context.fill('evenodd')
      }
    },
    stroke: (
      layer: string,
      color: string,
      width: number,
      { isWanted = () => true, dash = [] }: StrokeOptions = {},
    ) => {
      context.beginPath()
      for (const feature of tile[layer] ?? [])
        if (isSeen(feature) && isWanted(feature)) trace(feature)
      context.strokeStyle = color
      context.lineWidth = width
      context.setLineDash(dash)
      context.stroke()
    },
  }
}
type Brush = ReturnType<typeof createBrush>

const paintGround = ({ fill, stroke }: Brush, zoom: number, colors: MapColors): void => {
  fill('land', () => colors.land)
  fill('land10', () => colors.land)
  stroke('border', colors.border, zoom < 5 ? 0.6 : 0.9, { dash: [4, 3] })
  fill('landuse', ({ properties }) => colors.landuse[String(properties.kind)] ?? colors.land)
  fill('water', () => colors.water)
  stroke('waterway', colors.water, getWidthAt(WIDTHS.waterway, zoom))
  stroke('pier', colors.land, getWidthAt(WIDTHS.pier, zoom))
  stroke('runway', colors.casing, getWidthAt(WIDTHS.runway, zoom))
  if (zoom >= 15)
    stroke('road', colors.path, getWidthAt(WIDTHS.path, zoom), {
      isWanted: ({ properties }) => properties.class === 'path',
      dash: [4, 3],
    })
  if (zoom >= 14) {
    fill('building', () => colors.building)
    if (zoom >= 16) stroke('building', colors.buildingLine, 1)
  }
  stroke('rail', colors.rail, getWidthAt(WIDTHS.rail, zoom))
}

const paintRoads = ({ stroke }: Brush, zoom: number, colors: MapColors): void => {
  const roads = Object.entries(ROAD_STYLES).filter(([, { from }]) => zoom >= from)
  if (zoom >= 13)
    for (const [name, { casing, width }] of roads)
      stroke('road', colors[casing], getWidthAt(width, zoom) + 1.6, {
        isWanted: ({ properties }) => properties.class === name && !properties.tunnel,
      })
  for (const [name, { fill: color, width }] of roads) {
    const isFar = zoom < 13 && color === 'minor'
    stroke('road', isFar ? colors.minorFar : colors[color], getWidthAt(width, zoom), {
      isWanted: ({ properties }) => properties.class === name,
    })
  }
}

/** Draws one tile's ground, water, buildings and streets, without text. */
export const paintTile = (
  context: CanvasRenderingContext2D,
  source: SourceTile,
  zoom: number,
  colors: MapColors,
): void => {
  const brush = createBrush(context, source)
  context.lineCap = context.lineJoin = 'round'
  paintGround(brush, zoom, colors)
  paintRoads(brush, zoom, colors)
  context.setLineDash([])
  const { tile, left, top } = source
  if (zoom >= 16) paintArrows(context, tile.road ?? [], { ...brush, left, top, colors })
}

const ARROW_SPACING_PX = 110

/** Draws small arrows along one-way streets. */
const paintArrows = (
  context: CanvasRenderingContext2D,
  roads: readonly TileFeature[],
  {
    unit,
    left,
    top,
    isSeen,
    colors,
  }: {
    unit: number
    left: number
    top: number
    isSeen: (feature: TileFeature) => boolean
    colors: MapColors
  },
) => {
  context.strokeStyle = colors.arrow
  context.lineWidth = 1.3
  context.beginPath()
  for (const feature of roads) {
    const { oneway, class: kind } = feature.properties
    if (!oneway || kind === 'service' || !isSeen(feature)) continue
    for (const line of feature.lines) {
      let run = ARROW_SPACING_PX / 2
      for (let i = 2; i < line.length; i += 2) {
        const [ax, ay] = [line[i - 2]! * unit - left, line[i - 1]! * unit - top]
        const [bx, by] = [line[i]! * unit - left, line[i + 1]! * unit - top]
        const length = Math.hypot(bx - ax, by - ay)
        if (length === 0) continue
        const sign = oneway === -1 ? -1 : 1
        const [ux, uy] = [((bx - ax) / length) * sign, ((by - ay) / length) * sign]
        for (; run < length; run += ARROW_SPACING_PX) {
          const [x, y] = [ax + ((bx - ax) * run) / length, ay + ((by - ay) * run) / length]
          context.moveTo(x - ux * 5, y - uy * 5)
          context.lineTo(x + ux * 5, y + uy * 5)
          context.moveTo(x + ux * 2 - uy * 2.5, y + uy * 2 + ux * 2.5)
          context.lineTo(x + ux * 5, y + uy * 5)
          context.lineTo(x + ux * 2 + uy * 2.5, y + uy * 2 - ux * 2.5)
        }
        run -= length
      }
    }
  }
  context.stroke()
}
