import { DomUtil, GridLayer } from 'leaflet'
import type { Coords, DoneCallback, GridLayerOptions, Map as LeafletMap } from 'leaflet'
import { MAP_COLORS } from './mapColors'
import { drawLabels, placeLabels, setFont } from './labels'
import { paintTile, TILE_SIZE } from './tilePainter'
import type { MapTheme } from '../mapPort'
import type { SourceTile, TileSource } from '../tileSource'

interface VectorTilesOptions extends GridLayerOptions {
  sources: readonly TileSource[]
  theme: MapTheme
  language: string
}

interface RenderedTile {
  coords: Coords
  parts: SourceTile[]
}

const LABEL_PANE = 'labels'
const LABEL_PAUSE_MS = 60
/** Extra share of the screen covered by labels, so that a small move uncovers no empty edge. */
const MARGIN = 0.15
const pixelRatio = () => Math.min(2, window.devicePixelRatio || 1)

/**
 * Draws the map tile by tile on plain canvases, without WebGL, font files or icon files. Labels
 * share one canvas over all tiles, because a label cut at a tile's edge is unreadable.
 */
export class VectorTiles extends GridLayer {
  private readonly sources: readonly TileSource[]
  private theme: MapTheme
  private language: string
  private hasFewerLabels = false
  private readonly renderedTiles = new Map<string, RenderedTile>()
  private canvas: HTMLCanvasElement | null = null
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly onLabels: () => void

  constructor(options: VectorTilesOptions, onLabels: () => void) {
    const { sources, theme, language, ...rest } = options
    super({ updateWhenZooming: false, keepBuffer: 2, ...rest })
    this.sources = sources
    this.theme = theme
    this.language = language
    this.onLabels = onLabels
    this.on('load', this.relabel, this)
    this.on('tileunload', ({ coords }: { coords?: Coords }) => {
      if (coords) this.renderedTiles.delete(getTileKey(coords))
    })
  }

  override onAdd(map: LeafletMap): this {
    const pane = map.getPane(LABEL_PANE) ?? map.createPane(LABEL_PANE)
    // Above the route, below the markers.
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
    this.renderedTiles.clear()
    return super.onRemove(map)
  }

  /** Changes the colors and redraws the map. */
  setTheme(theme: MapTheme): void {
    if (theme === this.theme) return
    this.theme = theme
    for (const { coords, parts } of this.renderedTiles.values()) {
      const canvas = this.getCanvas(coords)
      if (canvas) this.paint(canvas, coords, parts)
    }
    this.relabel()
  }

  setLanguage(language: string): void {
    if (language === this.language) return
    this.language = language
    this.relabel()
  }

  /** Reduces the labels when the map shows something more important. */
  setHasFewerLabels(quiet: boolean): void {
    if (quiet === this.hasFewerLabels) return
    this.hasFewerLabels = quiet
    this.relabel()
  }

  private getCanvas(coords: Coords): HTMLCanvasElement | undefined {
    const el = this._tiles[getTileKey(coords)]?.el
    return el instanceof HTMLCanvasElement ? el : undefined
  }

  private paint(canvas: HTMLCanvasElement, { z }: Coords, parts: readonly SourceTile[]): void {
    const context = canvas.getContext('2d', { alpha: false })
    if (!context) return
    const colors = MAP_COLORS[this.theme]
    const ratio = canvas.width / TILE_SIZE
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.fillStyle = colors.water
    context.fillRect(0, 0, TILE_SIZE, TILE_SIZE)
    for (const part of parts) paintTile(context, part, z, colors)
  }

  protected override createTile(coords: Coords, onDone: DoneCallback): HTMLElement {
    const canvas = DomUtil.create('canvas', 'leaflet-tile')
    canvas.width = canvas.height = TILE_SIZE * pixelRatio()
    const count = 2 ** coords.z
    const x = ((coords.x % count) + count) % count
    const isOnEarth = coords.y >= 0 && coords.y < count
    const tileRequests = isOnEarth
      ? this.sources.map((source) => source.get(coords.z, x, coords.y))
      : []
    void Promise.all(tileRequests).then((tiles) => {
      const parts = tiles.filter((part) => part !== null)
      this.renderedTiles.set(getTileKey(coords), { coords, parts })
      this.paint(canvas, coords, parts)
      onDone(undefined, canvas)
    })
    return canvas
  }

  private relabel(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.drawNames(), LABEL_PAUSE_MS)
  }

  private drawNames(): void {
    const map: LeafletMap | null = this._map
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
    const tiles = [...this.renderedTiles.values()]
      .filter(({ coords }) => coords.z === zoom)
      .map(({ coords, parts }) => ({
        parts,
        size: TILE_SIZE,
        x: coords.x * TILE_SIZE - origin.x + margin,
        y: coords.y * TILE_SIZE - origin.y + margin,
      }))
      .filter(({ x, y }) => x < width && y < height && x > -TILE_SIZE && y > -TILE_SIZE)
    const colors = MAP_COLORS[this.theme]
    const options = {
      zoom,
      width,
      height,
      language: this.language,
      colors,
      hasFewerLabels: this.hasFewerLabels,
    }
    const labels = placeLabels(tiles, options, (text, size, weight, spacing) => {
      setFont(context, size, weight, spacing)
      return context.measureText(text).width
    })
    drawLabels(context, labels, colors)
    this.onLabels()
  }
}

const getTileKey = ({ x, y, z }: Coords) => `${x}:${y}:${z}`
