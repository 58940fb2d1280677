import {
  DivIcon,
  latLngBounds,
  Map as LeafletMap,
  Marker,
  Point,
  polyline,
  TileLayer,
} from 'leaflet'
import type {
  LatLngLiteral,
  Layer,
  LeafletKeyboardEvent,
  LeafletMouseEvent,
  GridLayer,
} from 'leaflet'
import {
  CLUSTER_SIZE,
  clusterContent,
  dressMarker,
  markerBox,
  markerContent,
  turnMarker,
} from '../markerElement'
import { cutPath, samePaths } from '../motion'
import { createPins, prefersStill } from '../pins'
import { cityMap, tileSource } from '../tiles'
import { VectorTiles } from './VectorTiles'
import { DEFAULT_VIEW } from '../port'
import type { Basemap, MapHandle, MapOptions, MarkerSpec, Padding, PathSpec } from '../port'
import type { CityMap } from '../tiles'

const MIN_ZOOM = 3
const MAX_ZOOM = 19
const BUNDLED_URL = '/maps'
const FIT_MAX_ZOOM = 16
/** Out here a full-sized car would cover a whole quarter. */
const FAR_ZOOM = 13

/** Those by which Leaflet moves and zooms. */
const MOVING_KEYS = /^(Arrow|[-+=_]$)/

const plain = ({ lat, lng }: LatLngLiteral) => ({ lat, lng })

/** Leaflet makes a button of a marker, but one that only a pointer can press. */
const onChosen = (marker: Marker, choose: () => void) =>
  marker.on('click', choose).on('keydown', ({ originalEvent }: LeafletKeyboardEvent) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return
    originalEvent.preventDefault()
    choose()
  })

const iconOf = (spec: MarkerSpec, content: HTMLElement) => {
  const { width, height, anchor } = markerBox(spec)
  return new DivIcon({
    className: `map-pin map-pin-${spec.kind}`,
    html: content,
    iconSize: [width, height],
    iconAnchor: anchor,
  })
}

/** The picture of the world below everything else, added when it is known what there is to draw. */
const addBasemap = async (
  map: LeafletMap,
  basemap: Exclude<Basemap, { kind: 'google' }>,
  options: MapOptions,
  { isGone, isUntouched }: { isGone: () => boolean; isUntouched: () => boolean },
): Promise<VectorTiles | null> => {
  if (basemap.kind === 'raster') {
    const layer: GridLayer = new TileLayer(basemap.url, { maxZoom: basemap.maxZoom ?? MAX_ZOOM })
    layer.on('load', options.onIdle)
    layer.addTo(map)
    return null
  }
  const baseUrl = basemap.baseUrl ?? BUNDLED_URL
  const city = await cityMap(baseUrl)
  if (isGone()) return null
  const world = tileSource({
    url: `${baseUrl}/world`,
    minZoom: 0,
    maxZoom: city?.worldMaxZoom ?? 5,
  })
  const cityTiles = ({ slug, minZoom, maxZoom, tileBounds }: CityMap) =>
    tileSource({ url: `${baseUrl}/${slug}`, minZoom, maxZoom, bounds: tileBounds })
  const sources = city ? [world, cityTiles(city)] : [world]
  if (city && !options.center && isUntouched()) {
    const [west, south, east, north] = city.bounds
    map.setView([(south + north) / 2, (west + east) / 2], options.zoom ?? DEFAULT_VIEW.zoom, {
      animate: false,
    })
  }
  const { look, language } = options
  return new VectorTiles({ sources, look, language, maxZoom: MAX_ZOOM }, options.onIdle).addTo(map)
}

/** A map drawn by Leaflet, on our own tiles or on somebody's pictures. */
export const createLeafletMap = (
  element: HTMLElement,
  basemap: Exclude<Basemap, { kind: 'google' }>,
  options: MapOptions,
): MapHandle => {
  const { interactive } = options
  const map = new LeafletMap(element, {
    center: options.center ?? DEFAULT_VIEW.center,
    zoom: options.zoom ?? DEFAULT_VIEW.zoom,
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    zoomControl: false,
    // The page shows the credits itself, where they do not turn around in right-to-left writing.
    attributionControl: false,
    dragging: interactive,
    scrollWheelZoom: interactive,
    doubleClickZoom: interactive,
    touchZoom: interactive,
    boxZoom: interactive,
    keyboard: interactive,
    worldCopyJump: true,
    fadeAnimation: !prefersStill(),
    zoomAnimation: !prefersStill(),
  })

  let tiles: VectorTiles | null = null
  let gone = false
  let { look, language } = options
  let hasPaths = false
  /** Whether the page has said meanwhile what to look at. */
  let isAimed = false
  const at = { isGone: () => gone, isUntouched: () => !isAimed }
  void addBasemap(map, basemap, options, at).then((layer) => {
    if (gone) return
    tiles = layer
    tiles?.setLook(look)
    tiles?.setLanguage(language)
    tiles?.setQuiet(hasPaths)
  })

  let byHand = false
  map.on('dragstart', () => (byHand = true))
  element.addEventListener('wheel', () => (byHand = interactive), { passive: true })
  element.addEventListener('keydown', ({ key }) => {
    if (MOVING_KEYS.test(key)) byHand = interactive
  })
  map.on('dblclick', () => (byHand = true))
  map.on('moveend', () => {
    options.onMove(plain(map.getCenter()), byHand)
    if (byHand) refit = null
    byHand = false
  })
  map.on('click', ({ latlng }: LeafletMouseEvent) => options.onClick(plain(latlng.wrap())))

  // ---- markers

  let isZooming = false
  const pins = createPins({
    draw: (spec) => {
      const content = markerContent(spec)
      const marker = new Marker(spec.at, {
        icon: iconOf(spec, content),
        keyboard: spec.label !== undefined,
        title: spec.label ?? '',
        alt: spec.label ?? '',
        zIndexOffset: spec.active ? 1_000 : spec.kind === 'vehicle' ? 0 : 500,
      })
      onChosen(marker, () => options.onMarker(spec.id))
      marker.addTo(map)
      return {
        place: (pose) => {
          marker.setLatLng(pose)
          turnMarker(content, spec.kind, pose.heading)
        },
        dress: (next) => {
          const root = marker.getElement()
          if (root) dressMarker(root, next)
        },
        show: (isVisible) => {
          const root = marker.getElement()
          if (root) root.style.display = isVisible ? '' : 'none'
        },
        remove: () => marker.remove(),
      }
    },
    drawBubble: ({ x, y, places, label }) => {
      const icon = new DivIcon({
        className: 'map-pin',
        html: clusterContent(places.length),
        iconSize: [CLUSTER_SIZE, CLUSTER_SIZE],
      })
      const at = map.unproject(new Point(x, y))
      const bubble = new Marker(at, { icon, title: label, alt: String(places.length) })
      onChosen(bubble, () => {
        byHand = true
        map.fitBounds(latLngBounds(places), { padding: [60, 60] })
      })
      return bubble.addTo(map)
    },
    project: (at) => map.project(at),
    isSliding: () => isZooming,
  })

  const scaleMarkers = () => element.toggleAttribute('data-far', map.getZoom() < FAR_ZOOM)
  scaleMarkers()
  map.on('zoomstart', () => (isZooming = true))
  map.on('zoomend', () => {
    isZooming = false
    scaleMarkers()
    pins.rescale()
  })

  // ---- paths

  let drawn: readonly PathSpec[] = []
  let pathLayers: Layer[] = []
  /** What is kept in sight, until somebody looks elsewhere; a box that is folded away has no room for it yet. */
  let refit: (() => void) | null = null
  let hasFitted = false

  const fitAgain = () => {
    const { x, y } = map.getSize()
    if (x > 0 && y > 0) refit?.()
  }
  const roomAround = ({ top = 40, bottom = 40, left = 40, right = 40 }: Padding) => ({
    paddingTopLeft: new Point(left, top),
    paddingBottomRight: new Point(right, bottom),
  })

  return {
    setMarkers: pins.set,

    setPaths: (paths) => {
      // Pages hand in new arrays on every render; drawing the same line again would flicker.
      if (samePaths(drawn, paths)) return
      drawn = paths
      for (const layer of pathLayers) layer.remove()
      pathLayers = []
      hasPaths = paths.some(({ points }) => points.length > 1)
      tiles?.setQuiet(hasPaths)
      for (const { points, progress = 0, tone = 'route' } of paths) {
        const [behind, ahead] = cutPath(points, progress)
        const draw = (line: readonly LatLngLiteral[], className: string, weight: number) => {
          if (line.length < 2) return
          const layer = polyline([...line], { className, weight, interactive: false })
          pathLayers.push(layer.addTo(map))
        }
        if (tone === 'faint') {
          draw(ahead, 'map-path-faint', 4)
          continue
        }
        draw(behind, 'map-path-behind', 5)
        draw(ahead, 'map-path-casing', 9)
        draw(ahead, 'map-path', 5.5)
      }
    },

    fit: (points, padding) => {
      if (points.length === 0) return
      isAimed = true
      const room = roomAround(padding)
      const bounds = latLngBounds([...points])
      const run = () => {
        // A car that is followed moves every second; the map moves only when it has to.
        const fitting = map.getBoundsZoom(
          bounds,
          false,
          room.paddingTopLeft.add(room.paddingBottomRight),
        )
        const isGoodEnough = map.getBounds().contains(bounds) && fitting <= map.getZoom()
        if (hasFitted && isGoodEnough) return
        hasFitted = true
        map.fitBounds(bounds, { ...room, maxZoom: FIT_MAX_ZOOM, animate: !prefersStill() })
      }
      refit = run
      fitAgain()
    },
    setView: (center, zoom) => {
      isAimed = true
      refit = null
      map.setView(center, zoom ?? map.getZoom(), { animate: !prefersStill() })
    },
    zoomBy: (levels) => {
      byHand = true
      map.setZoom(map.getZoom() + levels)
    },
    getCenter: () => plain(map.getCenter().wrap()),
    setLook: (next) => {
      look = next
      tiles?.setLook(next)
    },
    setLanguage: (next) => {
      language = next
      tiles?.setLanguage(next)
    },
    resize: () => {
      map.invalidateSize({ animate: false })
      fitAgain()
    },
    destroy: () => {
      gone = true
      pins.clear()
      // Leaflet ends a zoom by a timer that outlives the map, and would look for the pane that is gone.
      Object.assign(map, { _animatingZoom: false })
      map.remove()
    },
  }
}
