import {
  CLUSTER_SIZE,
  clusterContent,
  dressMarker,
  markerBox,
  markerContent,
  turnMarker,
} from '../markerElement'
import { cutPath, samePaths } from '../motion'
import { createPins } from '../pins'
import type { LatLng } from '~/domain/entities'
import { DEFAULT_VIEW } from '../port'
import type { MapHandle, MapLook, MapOptions, PathSpec } from '../port'

const FIT_MAX_ZOOM = 16
const ROUTE = { light: '#2f6fe4', dark: '#5b94ff' } as const
const CASING = { light: '#1d4aa8', dark: '#0b2a66' } as const
const BEHIND = { light: '#8fa6cf', dark: '#5c7299' } as const

/** Google's own dark colours need a style; these few rules are enough to rest the eyes. */
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
 * Draws on a map of Google's what the page asks for. Pins are elements of ours in an overlay, so that
 * they look, glide and turn as on the other maps, and need no map id of Google's.
 */
export const createGoogleMap = (map: google.maps.Map, options: MapOptions): MapHandle => {
  let look: MapLook = options.look
  let layer: Element | null = null
  let byHand = false
  /** All that is drawn, put where it is whenever Google has moved the picture. */
  const roots = new Map<HTMLElement, LatLng>()

  const overlay = new google.maps.OverlayView()
  const put = (root: HTMLElement, at: LatLng) => {
    roots.set(root, at)
    const point = overlay.getProjection()?.fromLatLngToDivPixel(new google.maps.LatLng(at))
    if (point) root.style.transform = `translate(${point.x}px, ${point.y}px)`
  }
  const take = (root: HTMLElement) => {
    root.remove()
    roots.delete(root)
  }
  overlay.onAdd = () => {
    layer = overlay.getPanes()?.overlayMouseTarget ?? null
    for (const root of roots.keys()) layer?.append(root)
  }
  overlay.onRemove = () => {
    for (const root of roots.keys()) root.remove()
  }
  overlay.draw = () => {
    for (const [root, at] of roots) put(root, at)
  }
  overlay.setMap(map)

  const frameOf = (content: HTMLElement, anchor: readonly [number, number], label?: string) => {
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
    layer?.append(root)
    return root
  }

  const pins = createPins({
    draw: (spec) => {
      const content = markerContent(spec)
      const { width, height, anchor } = markerBox(spec)
      content.style.width = `${width}px`
      content.style.height = `${height}px`
      const root = frameOf(content, anchor, spec.label)
      root.addEventListener('click', () => options.onMarker(spec.id))
      return {
        place: (pose) => {
          put(root, pose)
          turnMarker(content, spec.kind, pose.heading)
        },
        dress: (next) => dressMarker(root, next),
        show: (isVisible) => {
          root.style.display = isVisible ? '' : 'none'
        },
        remove: () => take(root),
      }
    },
    drawBubble: ({ x, y, places, label }) => {
      const middle = CLUSTER_SIZE / 2
      const root = frameOf(clusterContent(places.length), [middle, middle], label)
      root.addEventListener('click', () => {
        byHand = true
        const bounds = new google.maps.LatLngBounds()
        for (const place of places) bounds.extend(place)
        map.fitBounds(bounds, 60)
      })
      const at = overlay.getProjection()?.fromDivPixelToLatLng(new google.maps.Point(x, y))
      if (at) put(root, at.toJSON())
      return { remove: () => take(root) }
    },
    project: (at) =>
      overlay.getProjection()?.fromLatLngToDivPixel(new google.maps.LatLng(at)) ?? null,
    // An overlay is drawn anew for each step of a zoom.
    isSliding: () => false,
  })

  const listeners = [
    map.addListener('dragstart', () => (byHand = true)),
    map.addListener('click', ({ latLng }: google.maps.MapMouseEvent) => {
      if (latLng) options.onClick(latLng.toJSON())
    }),
    map.addListener('zoom_changed', () => requestAnimationFrame(pins.rescale)),
    map.addListener('idle', () => {
      const center = map.getCenter()?.toJSON()
      if (center) options.onMove(center, byHand)
      byHand = false
      options.onIdle()
    }),
  ]

  let hasFitted = false
  let paths: readonly PathSpec[] = []
  let lines: google.maps.Polyline[] = []
  const drawPaths = () => {
    for (const line of lines) line.setMap(null)
    lines = []
    const stroke = (path: LatLng[], strokeColor: string, strokeWeight: number) => {
      if (path.length < 2) return
      lines.push(
        new google.maps.Polyline({ map, path, strokeColor, strokeWeight, clickable: false }),
      )
    }
    for (const { points, progress = 0, tone = 'route' } of paths) {
      const [behind, ahead] = cutPath(points, progress)
      if (tone === 'faint') {
        stroke(ahead, BEHIND[look], 4)
        continue
      }
      stroke(behind, BEHIND[look], 5)
      stroke(ahead, CASING[look], 9)
      stroke(ahead, ROUTE[look], 5.5)
    }
  }

  return {
    setMarkers: pins.set,
    setPaths: (next) => {
      // Pages hand in new arrays on every render; drawing the same line again would flicker.
      if (samePaths(paths, next)) return
      paths = next
      drawPaths()
    },
    fit: (points, { top = 40, bottom = 40, left = 40, right = 40 }) => {
      if (points.length === 0) return
      const bounds = new google.maps.LatLngBounds()
      for (const point of points) bounds.extend(point)
      // A car that is followed moves every second; the map moves only when it has to.
      const seen = map.getBounds()
      const isSeen = points.every((point) => seen?.contains(point))
      if (hasFitted && isSeen) return
      hasFitted = true
      map.fitBounds(bounds, { top, bottom, left, right })
      google.maps.event.addListenerOnce(map, 'idle', () => {
        if ((map.getZoom() ?? 0) > FIT_MAX_ZOOM) map.setZoom(FIT_MAX_ZOOM)
      })
    },
    setView: (center, zoom) => {
      map.panTo(center)
      if (zoom !== undefined) map.setZoom(zoom)
    },
    zoomBy: (levels) => {
      byHand = true
      map.setZoom((map.getZoom() ?? 10) + levels)
    },
    getCenter: () => map.getCenter()?.toJSON() ?? options.center ?? DEFAULT_VIEW.center,
    setLook: (next) => {
      look = next
      map.setOptions({ styles: next === 'dark' ? GOOGLE_DARK : [] })
      drawPaths()
    },
    // Google's script speaks the language it was loaded in.
    setLanguage: () => undefined,
    resize: () => undefined,
    destroy: () => {
      pins.clear()
      for (const listener of listeners) listener.remove()
      for (const line of lines) line.setMap(null)
      overlay.setMap(null)
    },
  }
}
