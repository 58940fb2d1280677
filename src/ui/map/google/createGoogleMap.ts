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
import { createMarkerLayer } from '../markerLayer'
import { DEFAULT_VIEW } from '../mapPort'
import type { MapHandle, MapTheme, MapOptions, Padding, PolylineSpec } from '../mapPort'
import type { LatLng } from '~/domain/geo/types'

const FIT_MAX_ZOOM = 16
const ROUTE_COLORS = { light: '#2f6fe4', dark: '#5b94ff' } as const
const CASING_COLORS = { light: '#1d4aa8', dark: '#0b2a66' } as const
const DRIVEN_COLORS = { light: '#8fa6cf', dark: '#5c7299' } as const

/** Google's dark colors require a style; these few rules give enough contrast. */
export const GOOGLE_DARK: google.maps.MapTypeStyle[] = [
  { elementType: 'geometry', stylers: [{ color: '#1a2320' }] },
  { elementType: 'labels.text.fill', stylers: [{ color: '#b2beb8' }] },
  { elementType: 'labels.text.stroke', stylers: [{ color: '#121a17' }] },
  { featureType: 'road', elementType: 'geometry', stylers: [{ color: '#37443f' }] },
  { featureType: 'road.highway', elementType: 'geometry', stylers: [{ color: '#7d6c42' }] },
  { featureType: 'water', elementType: 'geometry', stylers: [{ color: '#0f2130' }] },
  { featureType: 'poi.park', elementType: 'geometry', stylers: [{ color: '#1f372b' }] },
  { featureType: 'transit', elementType: 'geometry', stylers: [{ color: '#242d2b' }] },
]

/**
 * Creates what fits positions into the map, and keeps them fitted in another size of the container
 * until `release`.
 */
const createFitter = (map: google.maps.Map) => {
  let positions: readonly LatLng[] = []
  let padding: Padding = {}
  let hasFitted = false
  const fitAgain = () => {
    if (positions.length === 0) return
    // A followed vehicle moves every second; the map moves only when necessary.
    const visibleBounds = map.getBounds()
    if (hasFitted && positions.every((point) => visibleBounds?.contains(point))) return
    hasFitted = true
    const bounds = new google.maps.LatLngBounds()
    for (const point of positions) bounds.extend(point)
    const { top = 40, bottom = 40, left = 40, right = 40 } = padding
    map.fitBounds(bounds, { top, bottom, left, right })
    google.maps.event.addListenerOnce(map, 'idle', () => {
      if ((map.getZoom() ?? 0) > FIT_MAX_ZOOM) map.setZoom(FIT_MAX_ZOOM)
    })
  }
  return {
    fit: (points: readonly LatLng[], insets: Padding) => {
      positions = points
      padding = insets
      fitAgain()
    },
    resize: () => {
      hasFitted = false
      fitAgain()
    },
    release: () => {
      positions = []
    },
  }
}

/** Creates the layer of our own elements, which keep their positions when the map moves. */
const createElementLayer = (map: google.maps.Map) => {
  let pane: Element | null = null
  const roots = new Map<HTMLElement, LatLng>()
  const overlay = new google.maps.OverlayView()
  const place = (root: HTMLElement, at: LatLng) => {
    roots.set(root, at)
    const point = overlay.getProjection()?.fromLatLngToDivPixel(new google.maps.LatLng(at))
    if (point) root.style.transform = `translate(${point.x}px, ${point.y}px)`
  }
  overlay.onAdd = () => {
    pane = overlay.getPanes()?.overlayMouseTarget ?? null
    for (const root of roots.keys()) pane?.append(root)
  }
  overlay.onRemove = () => {
    for (const root of roots.keys()) root.remove()
  }
  overlay.draw = () => {
    for (const [root, at] of roots) place(root, at)
  }
  overlay.setMap(map)
  return {
    overlay,
    place,
    remove: (root: HTMLElement) => {
      root.remove()
      roots.delete(root)
    },
    /** Creates the element of a pin; with a label it is a button. */
    createFrame: (content: HTMLElement, anchor: readonly [number, number], label?: string) => {
      const root = document.createElement(label === undefined ? 'div' : 'button')
      root.className = 'map-pin map-google-pin'
      root.style.left = `${-anchor[0]}px`
      root.style.top = `${-anchor[1]}px`
      if (label !== undefined) {
        root.title = label
        root.setAttribute('aria-label', label)
      }
      root.append(content)
      google.maps.OverlayView.preventMapHitsFrom(root)
      pane?.append(root)
      return root
    },
  }
}
type ElementLayer = ReturnType<typeof createElementLayer>

/** Creates the pins and clusters on the layer of elements. */
const createGoogleMarkers = (
  { overlay, place, remove, createFrame }: ElementLayer,
  {
    onMarker,
    onCluster,
  }: Pick<MapOptions, 'onMarker'> & { onCluster: (positions: readonly LatLng[]) => void },
) =>
  createMarkerLayer({
    drawMarker: (spec) => {
      const content = createMarkerContent(spec)
      const { width, height, anchor } = getMarkerBox(spec)
      content.style.width = `${width}px`
      content.style.height = `${height}px`
      const root = createFrame(content, anchor, spec.label)
      root.style.zIndex = String(getMarkerLayer(spec))
      root.addEventListener('click', () => onMarker(spec.id))
      return {
        setPose: (pose) => {
          place(root, pose)
          rotateMarker(content, spec.kind, pose.heading)
        },
        update: (next) => updateMarkerLabel(root, next),
        setVisible: (isVisible) => {
          root.style.display = isVisible ? '' : 'none'
        },
        remove: () => remove(root),
      }
    },
    drawCluster: ({ x, y, positions, label }) => {
      const middle = CLUSTER_SIZE / 2
      const root = createFrame(createClusterContent(positions.length), [middle, middle], label)
      root.addEventListener('click', () => onCluster(positions))
      const at = overlay.getProjection()?.fromDivPixelToLatLng(new google.maps.Point(x, y))
      if (at) place(root, at.toJSON())
      return { remove: () => remove(root) }
    },
    project: (at) =>
      overlay.getProjection()?.fromLatLngToDivPixel(new google.maps.LatLng(at)) ?? null,
    // Google redraws an overlay at each step of a zoom.
    isAnimating: () => false,
  })

/** Draws the routes in the colors of a theme. */
const createPolylineLayer = (map: google.maps.Map, startTheme: MapTheme) => {
  let theme = startTheme
  let paths: readonly PolylineSpec[] = []
  let lines: google.maps.Polyline[] = []
  const clear = () => {
    for (const line of lines) line.setMap(null)
    lines = []
  }
  const draw = () => {
    clear()
    const stroke = (path: LatLng[], strokeColor: string, strokeWeight: number) => {
      if (path.length < 2) return
      lines.push(
        new google.maps.Polyline({ map, path, strokeColor, strokeWeight, clickable: false }),
      )
    }
    for (const { positions, progress = 0, tone = 'route' } of paths) {
      const [behind, ahead] = splitPolyline(positions, progress)
      if (tone === 'faint') {
        stroke(ahead, DRIVEN_COLORS[theme], 4)
        continue
      }
      stroke(behind, DRIVEN_COLORS[theme], 5)
      stroke(ahead, CASING_COLORS[theme], 9)
      stroke(ahead, ROUTE_COLORS[theme], 5.5)
    }
  }
  return {
    clear,
    set: (next: readonly PolylineSpec[]) => {
      // Pages pass new arrays on every render, and drawing the same line again would flicker.
      if (isSamePolylines(paths, next)) return
      paths = next
      draw()
    },
    setTheme: (next: MapTheme) => {
      theme = next
      draw()
    },
  }
}

/**
 * Creates our map interface on a Google map. Pins are our own elements in an overlay, so that they
 * look, glide and turn as on the other maps and need no Google map ID.
 */
export const createGoogleMap = (map: google.maps.Map, options: MapOptions): MapHandle => {
  let isUserMove = false
  const elements = createElementLayer(map)
  const markerLayer = createGoogleMarkers(elements, {
    onMarker: options.onMarker,
    onCluster: (positions) => {
      isUserMove = true
      const bounds = new google.maps.LatLngBounds()
      for (const place of positions) bounds.extend(place)
      map.fitBounds(bounds, 60)
    },
  })
  const fitter = createFitter(map)
  const lines = createPolylineLayer(map, options.theme)
  const listeners = [
    map.addListener('dragstart', () => (isUserMove = true)),
    map.addListener('click', ({ latLng }: google.maps.MapMouseEvent) => {
      if (latLng) options.onClick(latLng.toJSON())
    }),
    map.addListener('zoom_changed', () => requestAnimationFrame(markerLayer.rescale)),
    map.addListener('idle', () => {
      const center = map.getCenter()?.toJSON()
      if (center) options.onMove(center, isUserMove)
      if (isUserMove) fitter.release()
      isUserMove = false
      options.onIdle()
    }),
  ]
  return {
    setMarkers: markerLayer.set,
    setPolylines: lines.set,
    fit: (points, padding) => {
      if (points.length > 0) fitter.fit(points, padding)
    },
    setView: (center, zoom) => {
      fitter.release()
      map.panTo(center)
      if (zoom !== undefined) map.setZoom(zoom)
    },
    zoomBy: (levels) => {
      isUserMove = true
      map.setZoom((map.getZoom() ?? 10) + levels)
    },
    getCenter: () => map.getCenter()?.toJSON() ?? options.center ?? DEFAULT_VIEW.center,
    getBounds: () => map.getBounds()?.toJSON() ?? { south: -90, west: -180, north: 90, east: 180 },
    setTheme: (theme) => {
      map.setOptions({ styles: theme === 'dark' ? GOOGLE_DARK : [] })
      lines.setTheme(theme)
    },
    // Google's script keeps the language in which it was loaded.
    setLanguage: () => undefined,
    // Google notices a new size itself.
    resize: fitter.resize,
    destroy: () => {
      markerLayer.clear()
      for (const listener of listeners) listener.remove()
      lines.clear()
      elements.overlay.setMap(null)
    },
  }
}
