import { DomUtil, GridLayer } from 'leaflet'
import type { Coords, DoneCallback, GridLayerOptions, Map as LeafletMap } from 'leaflet'
import { LOOKS } from './looks'
import { drawLabels, placeLabels, setFont } from './labels'
import { paintTile, TILE } from './paint'
import type { MapLook } from '../port'
import type { SourceTile, TileSource } from '../tiles'

interface VectorTilesOptions extends GridLayerOptions {
  sources: readonly TileSource[]
  look: MapLook
  language: string
}

interface Shown {
  coords: Coords
  parts: SourceTile[]
}

const LABEL_PANE = 'labels'
const LABEL_PAUSE_MS = 60
/** Names reach a little beyond the screen, so that a small move uncovers no bare edge. */
const MARGIN = 0.15
const pixelRatio = () => Math.min(2, window.devicePixelRatio || 1)

/**
 * The map's picture, drawn tile by tile on plain canvases: no WebGL, no font or icon files. Names are
 * on one canvas over all tiles, because a name cut at a tile's edge cannot be read.
 */
export class VectorTiles extends GridLayer {
  private readonly sources: readonly TileSource[]
  private look: MapLook
  private language: string
  private quiet = false
  private readonly shown = new Map<string, Shown>()
  private canvas: HTMLCanvasElement | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly onLabels: () => void

  constructor(options: VectorTilesOptions, onLabels: () => void) {
    const { sources, look, language, ...rest } = options
    super({ updateWhenZooming: false, keepBuffer: 2, ...rest })
    this.sources = sources
    this.look = look
    this.language = language
    this.onLabels = onLabels
    this.on('load', this.relabel, this)
    this.on('tileunload', ({ coords }: { coords?: Coords }) => {
      if (coords) this.shown.delete(keyOf(coords))
    })
  }

  override onAdd(map: LeafletMap): this {
    const pane = map.getPane(LABEL_PANE) ?? map.createPane(LABEL_PANE)
    // Over the route, under the markers.
    pane.style.zIndex = '450'
    pane.style.pointerEvents = 'none'
    this.canvas = DomUtil.create('canvas', 'leaflet-zoom-hide', pane)
    this.canvas.setAttribute('aria-hidden', 'true')
    map.on('moveend zoomend resize', this.relabel, this)
    return super.onAdd(map)
  }

  override onRemove(map: LeafletMap): this {
    clearTimeout(this.timer)
    map.off('moveend zoomend resize', this.relabel, this)
    this.canvas?.remove()
    this.canvas = null
    this.shown.clear()
    return super.onRemove(map)
  }

  /** Other colours; the picture is drawn anew. */
  setLook(look: MapLook): void {
    if (look === this.look) return
    this.look = look
    for (const { coords, parts } of this.shown.values()) {
      const canvas = this.canvasOf(coords)
      if (canvas) this.paint(canvas, coords, parts)
    }
    this.relabel()
  }

  setLanguage(language: string): void {
    if (language === this.language) return
    this.language = language
    this.relabel()
  }

  /** Fewer names, when something more important is on the map. */
  setQuiet(quiet: boolean): void {
    if (quiet === this.quiet) return
    this.quiet = quiet
    this.relabel()
  }

  private canvasOf(coords: Coords): HTMLCanvasElement | undefined {
    const tiles = (this as unknown as { _tiles: Record<string, { el: HTMLCanvasElement }> })._tiles
    return tiles[keyOf(coords)]?.el
  }

  private paint(canvas: HTMLCanvasElement, { z }: Coords, parts: readonly SourceTile[]): void {
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return
    const look = LOOKS[this.look]
    const ratio = canvas.width / TILE
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = look.water
    context.fillRect(0, 0, TILE, TILE)
    for (const part of parts) paintTile(context, part, z, look)
  }

  protected override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const canvas = DomUtil.create('canvas', 'leaflet-tile')
    canvas.width = canvas.height = TILE * pixelRatio()
    const count = 2 ** coords.z
    const x = ((coords.x % count) + count) % count
    const isOnEarth = coords.y >= 0 && coords.y < count
    const wanted = isOnEarth ? this.sources.map((source) => source.get(coords.z, x, coords.y)) : []
    void Promise.all(wanted).then((found) => {
      const parts = found.filter((part) => part !== null)
      this.shown.set(keyOf(coords), { coords, parts })
      this.paint(canvas, coords, parts)
      done(undefined, canvas)
    })
    return canvas
  }

  private relabel(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.drawNames(), LABEL_PAUSE_MS)
  }

  private drawNames(): void {
    const map = (this as unknown as { _map: LeafletMap | null })._map
    const context = this.canvas?.getContext('2d')
    if (!map || !this.canvas || !context) return
    const zoom = Math.round(map.getZoom())
    const screen = map.getSize()
    const margin = Math.round(Math.max(screen.x, screen.y) * MARGIN)
    const [width, height] = [screen.x + 2 * margin, screen.y + 2 * margin]
    const ratio = pixelRatio()
    this.canvas.width = width * ratio
    this.canvas.height = height * ratio
    this.canvas.style.width = `${width}px`
    this.canvas.style.height = `${height}px`
    DomUtil.setPosition(this.canvas, map.containerPointToLayerPoint([-margin, -margin]))
    context.scale(ratio, ratio)

    const origin = map.getPixelBounds().min
    if (!origin) return
    const tiles = [...this.shown.values()]
      .filter(({ coords }) => coords.z === zoom)
      .map(({ coords, parts }) => ({
        parts,
        size: TILE,
        x: coords.x * TILE - origin.x + margin,
        y: coords.y * TILE - origin.y + margin,
      }))
      .filter(({ x, y }) => x < width && y < height && x > -TILE && y > -TILE)
    const look = LOOKS[this.look]
    const options = { zoom, width, height, language: this.language, look, quiet: this.quiet }
    const labels = placeLabels(tiles, options, (text, size, weight, spacing) => {
      setFont(context, size, weight, spacing)
      return context.measureText(text).width
    })
    drawLabels(context, labels, look)
    this.onLabels()
  }
}

const keyOf = ({ x, y, z }: Coords) => `${x}:${y}:${z}`
