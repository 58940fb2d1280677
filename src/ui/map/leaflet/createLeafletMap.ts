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
  LatLngBounds,
  LatLngLiteral,
  Layer,
  LeafletKeyboardEvent,
  LeafletMouseEvent,
  GridLayer,
  MapOptions as LeafletOptions,
} from 'leaflet'
import {
  CLUSTER_SIZE,
  createClusterContent,
  updateMarkerLabel,
  getMarkerBox,
  getMarkerLayer,
  createMarkerContent,
  rotateMarker,
} from '../markerElements'
import { splitPolyline, isSamePolylines } from '../markerMotion'
import { createMarkerLayer, prefersReducedMotion } from '../markerLayer'
import { BUNDLED_URL, loadCityMap } from '../cityMap'
import { createTileSource } from '../tileSource'
import { VectorTiles } from './VectorTiles'
import { DEFAULT_VIEW } from '../mapPort'
import type {
  Basemap,
  MapBounds,
  MapHandle,
  MapOptions,
  MarkerSpec,
  Padding,
  PolylineSpec,
} from '../mapPort'
import type { CityMap } from '../cityMap'
import type { ClusterSpec, DrawnMarker } from '../markerLayer'

const MIN_ZOOM = 3
const MAX_ZOOM = 19
const FIT_MAX_ZOOM = 16
/** Below this zoom level, a full-sized vehicle would cover a whole neighborhood. */
const FAR_ZOOM = 13

/** The keys with which Leaflet moves and zooms. */
const MOVING_KEYS = /^(Arrow|[-+=_]$)/

const toLatLng = ({ lat, lng }: LatLngLiteral) => ({ lat, lng })

/**
 * Adds keyboard activation: Leaflet gives a marker the role of a button, but only a pointer can
 * press it.
 */
const addActivationListeners = (marker: Marker, choose: () => void) =>
  marker.on('click', choose).on('keydown', ({ originalEvent }: LeafletKeyboardEvent) => {
    if (originalEvent.key !== 'Enter' && originalEvent.key !== ' ') return
    originalEvent.preventDefault()
    choose()
  })

const createIcon = (spec: MarkerSpec, content: HTMLElement) => {
  const { width, height, anchor } = getMarkerBox(spec)
  return new DivIcon({
    className: `map-pin map-pin-${spec.kind}`,
    html: content,
    iconSize: [width, height],
    iconAnchor: anchor,
  })
}

/** Adds the basemap below everything else, once it is known which one exists. */
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
  const city = await loadCityMap(baseUrl)
  if (isGone()) return null
  const world = createTileSource({
    url: `${baseUrl}/world`,
    minZoom: 0,
    maxZoom: city?.worldMaxZoom ?? 5,
  })
  const cityTiles = ({ slug, minZoom, maxZoom, tileBounds }: CityMap) =>
    createTileSource({ url: `${baseUrl}/${slug}`, minZoom, maxZoom, bounds: tileBounds })
  const sources = city ? [world, cityTiles(city)] : [world]
  if (city && !options.center && isUntouched()) {
    const [west, south, east, north] = city.bounds
    map.setView([(south + north) / 2, (west + east) / 2], options.zoom ?? DEFAULT_VIEW.zoom, {
      animate: false,
    })
  }
  const { theme, language } = options
  return new VectorTiles({ sources, theme, language, maxZoom: MAX_ZOOM }, options.onIdle).addTo(map)
}

/**
 * Returns a function that draws a marker. It calls `options.onMarker` when the user chooses one.
 */
const createMarkerDrawer =
  (map: LeafletMap, { onMarker }: MapOptions) =>
  (spec: MarkerSpec): DrawnMarker => {
    const content = createMarkerContent(spec)
    const marker = new Marker(spec.position, {
      icon: createIcon(spec, content),
      keyboard: spec.label !== undefined,
      title: spec.label ?? '',
      alt: spec.label ?? '',
      zIndexOffset: 500 * getMarkerLayer(spec),
    })
    addActivationListeners(marker, () => onMarker(spec.id))
    marker.addTo(map)
    return {
      setPose: (pose) => {
        marker.setLatLng(pose)
        rotateMarker(content, spec.kind, pose.heading)
      },
      update: (next) => {
        const root = marker.getElement()
        if (root) updateMarkerLabel(root, next)
      },
      setVisible: (isVisible) => {
        const root = marker.getElement()
        if (root) root.style.display = isVisible ? '' : 'none'
      },
      remove: () => marker.remove(),
    }
  }

/** Returns a function that draws a cluster of markers, which opens when the user chooses it. */
const createClusterDrawer =
  (map: LeafletMap, onOpen: () => void) =>
  ({ x, y, positions, label }: ClusterSpec) => {
    const icon = new DivIcon({
      className: 'map-pin',
      html: createClusterContent(positions.length),
      iconSize: [CLUSTER_SIZE, CLUSTER_SIZE],
    })
    const at = map.unproject(new Point(x, y))
    const bubble = new Marker(at, { icon, title: label, alt: String(positions.length) })
    addActivationListeners(bubble, () => {
      onOpen()
      map.fitBounds(latLngBounds(positions), { padding: [60, 60] })
    })
    return bubble.addTo(map)
  }

/** Returns a function that replaces the drawn polylines, and calls `onDrawn` if they differ. */
const createPolylineSetter = (map: LeafletMap, onDrawn: (hasPaths: boolean) => void) => {
  let drawn: readonly PolylineSpec[] = []
  let layers: Layer[] = []
  const draw = (line: readonly LatLngLiteral[], className: string, weight: number) => {
    if (line.length < 2) return
    const layer = polyline([...line], { className, weight, interactive: false })
    layers.push(layer.addTo(map))
  }
  return (paths: readonly PolylineSpec[]) => {
    // Pages pass new arrays on every render, and drawing the same line again would flicker.
    if (isSamePolylines(drawn, paths)) return
    drawn = paths
    for (const layer of layers) layer.remove()
    layers = []
    onDrawn(paths.some(({ positions }) => positions.length > 1))
    for (const { positions, progress = 0, tone = 'route' } of paths) {
      const [behind, ahead] = splitPolyline(positions, progress)
      if (tone === 'faint') {
        draw(ahead, 'map-path-faint', 4)
        continue
      }
      draw(behind, 'map-path-behind', 5)
      draw(ahead, 'map-path-casing', 9)
      draw(ahead, 'map-path', 5.5)
    }
  }
}

/**
 * Creates what fits positions into the map, and keeps them fitted in another size of the container
 * until `release`.
 */
const createFitter = (map: LeafletMap) => {
  let positions: LatLngBounds | null = null
  let padding: Padding = {}
  let hasFitted = false
  let isZooming = false
  let isLate = false
  const fitAgain = () => {
    const { x, y } = map.getSize()
    // A collapsed container has no size to fit them yet.
    if (!positions || x <= 0 || y <= 0) return
    // Leaflet ignores a view that it gets during the animation of a zoom.
    isLate = isZooming
    if (isLate) return
    const { top = 40, bottom = 40, left = 40, right = 40 } = padding
    const [paddingTopLeft, paddingBottomRight] = [new Point(left, top), new Point(right, bottom)]
    // A followed vehicle moves every second; the map moves only when necessary.
    const fitting = map.getBoundsZoom(positions, false, paddingTopLeft.add(paddingBottomRight))
    const isGoodEnough = map.getBounds().contains(positions) && fitting <= map.getZoom()
    if (hasFitted && isGoodEnough) return
    const animate = hasFitted && !prefersReducedMotion()
    hasFitted = true
    map.fitBounds(positions, {
      paddingTopLeft,
      paddingBottomRight,
      maxZoom: FIT_MAX_ZOOM,
      animate,
    })
  }
  map.on('zoomstart', () => (isZooming = true))
  map.on('zoomend', () => {
    isZooming = false
    // After `moveend`, which releases the positions when a person moved the map.
    if (isLate) queueMicrotask(fitAgain)
  })
  return {
    /** Fits them into another size at once, also where all are in view. */
    resize: () => {
      hasFitted = false
      fitAgain()
    },
    fit: (points: readonly LatLngLiteral[], insets: Padding) => {
      positions = latLngBounds([...points])
      padding = insets
      fitAgain()
    },
    release: () => {
      positions = null
    },
  }
}

/** Reports the moves of the map, with whether the user caused them, until the map is removed. */
const reportMoves = (
  map: LeafletMap,
  element: HTMLElement,
  { isInteractive, onMove }: MapOptions,
  onUserMove: () => void,
) => {
  let isUserMove = false
  const expectUserMove = () => {
    isUserMove = true
  }
  map.on('dragstart dblclick', expectUserMove)
  element.addEventListener('wheel', () => (isUserMove = isInteractive), { passive: true })
  element.addEventListener('keydown', ({ key }) => {
    if (MOVING_KEYS.test(key)) isUserMove = isInteractive
  })
  map.on('moveend', () => {
    onMove(toLatLng(map.getCenter()), isUserMove)
    if (isUserMove) onUserMove()
    isUserMove = false
  })
  return { expectUserMove }
}

/** Adds the markers, which change their size and their clusters with the zoom. */
const addMarkerLayer = (
  map: LeafletMap,
  element: HTMLElement,
  options: MapOptions,
  onClusterOpen: () => void,
) => {
  let isZooming = false
  const markerLayer = createMarkerLayer({
    drawMarker: createMarkerDrawer(map, options),
    drawCluster: createClusterDrawer(map, onClusterOpen),
    project: (at) => map.project(at),
    isAnimating: () => isZooming,
  })
  const scaleMarkers = () => element.toggleAttribute('data-far', map.getZoom() < FAR_ZOOM)
  scaleMarkers()
  map.on('zoomstart', () => (isZooming = true))
  map.on('zoomend', () => {
    isZooming = false
    scaleMarkers()
    markerLayer.rescale()
  })
  return markerLayer
}

const toLeafletOptions = ({ center, zoom, isInteractive }: MapOptions): LeafletOptions => ({
  center: center ?? DEFAULT_VIEW.center,
  zoom: zoom ?? DEFAULT_VIEW.zoom,
  minZoom: MIN_ZOOM,
  maxZoom: MAX_ZOOM,
  zoomControl: false,
  // The page shows the credits itself, so that they do not change sides in right-to-left
  // languages.
  attributionControl: false,
  dragging: isInteractive,
  scrollWheelZoom: isInteractive,
  doubleClickZoom: isInteractive,
  touchZoom: isInteractive,
  boxZoom: isInteractive,
  keyboard: isInteractive,
  worldCopyJump: true,
  fadeAnimation: !prefersReducedMotion(),
  zoomAnimation: !prefersReducedMotion(),
})

const toMapBounds = (bounds: LatLngBounds): MapBounds => ({
  south: bounds.getSouth(),
  west: bounds.getWest(),
  north: bounds.getNorth(),
  east: bounds.getEast(),
})

/** Creates a Leaflet map on our own tiles or on external raster tiles. */
export const createLeafletMap = (
  element: HTMLElement,
  basemap: Exclude<Basemap, { kind: 'google' }>,
  options: MapOptions,
): MapHandle => {
  const map = new LeafletMap(element, toLeafletOptions(options))

  let tiles: VectorTiles | null = null
  let isDestroyed = false
  let { theme, language } = options
  let hasPaths = false
  /** True once the page has set a view. */
  let hasExplicitView = false
  const at = { isGone: () => isDestroyed, isUntouched: () => !hasExplicitView }
  void addBasemap(map, basemap, options, at).then((layer) => {
    if (isDestroyed) return
    tiles = layer
    tiles?.setTheme(theme)
    tiles?.setLanguage(language)
    tiles?.setHasFewerLabels(hasPaths)
  })

  const fitter = createFitter(map)
  const { expectUserMove } = reportMoves(map, element, options, fitter.release)
  map.on('click', ({ latlng }: LeafletMouseEvent) => options.onClick(toLatLng(latlng.wrap())))
  const markerLayer = addMarkerLayer(map, element, options, expectUserMove)

  return {
    setMarkers: markerLayer.set,
    setPolylines: createPolylineSetter(map, (hasDrawn) => {
      hasPaths = hasDrawn
      tiles?.setHasFewerLabels(hasDrawn)
    }),
    fit: (points, padding) => {
      if (points.length === 0) return
      hasExplicitView = true
      fitter.fit(points, padding)
    },
    setView: (center, zoom) => {
      hasExplicitView = true
      fitter.release()
      map.setView(center, zoom ?? map.getZoom(), { animate: !prefersReducedMotion() })
    },
    zoomBy: (levels) => {
      expectUserMove()
      map.setZoom(map.getZoom() + levels)
    },
    getCenter: () => toLatLng(map.getCenter().wrap()),
    getBounds: () => toMapBounds(map.getBounds()),
    setTheme: (next) => {
      theme = next
      tiles?.setTheme(next)
    },
    setLanguage: (next) => {
      language = next
      tiles?.setLanguage(next)
    },
    resize: () => {
      map.invalidateSize({ animate: false })
      fitter.resize()
    },
    destroy: () => {
      isDestroyed = true
      fitter.release()
      markerLayer.clear()
      // Leaflet ends a zoom with a timer that outlives the map and would look for the removed pane.
      Object.assign(map, { _animatingZoom: false })
      map.remove()
      // After a resize, it reports the end of the move with a timer that outlives the map, too.
      map.off()
    },
  }
}
