import { clusters, isGrouped } from '../clusters'
import { clusterContent, markerBox, markerContent, turnMarker } from '../markerElement'
import { between, cutPath, GLIDE_MS, isGlide, nextHeading } from '../motion'
import type { LatLng } from '~/domain/entities'
import { DEFAULT_VIEW } from '../port'
import type { MapHandle, MapLook, MapOptions, MarkerSpec } from '../port'
import type { Pose } from '../motion'

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

interface Pin {
  spec: MarkerSpec
  root: HTMLElement
  content: HTMLElement
  pose: Pose
  glide: { from: Pose; to: Pose; since: number } | null
}

const prefersStill = () => window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/**
 * Draws on a map of Google's what the page asks for. Pins are elements of ours in an overlay, so that
 * they look, glide and turn as on the other maps, and need no map id of Google's.
 */
export const createGoogleMap = (map: google.maps.Map, options: MapOptions): MapHandle => {
  const pins = new Map<string, Pin>()
  let bubbles: { root: HTMLElement; at: LatLng }[] = []
  let isClustered = false
  let look: MapLook = options.look
  let layer: Element | null = null
  let frame = 0
  let byHand = false

  const overlay = new google.maps.OverlayView()
  const put = (root: HTMLElement, at: LatLng) => {
    const point = overlay.getProjection()?.fromLatLngToDivPixel(new google.maps.LatLng(at))
    if (point) root.style.transform = `translate(${point.x}px, ${point.y}px)`
  }
  const draw = () => {
    for (const pin of pins.values()) put(pin.root, pin.pose)
    for (const { root, at } of bubbles) put(root, at)
  }
  overlay.onAdd = () => {
    layer = overlay.getPanes()?.overlayMouseTarget ?? null
    for (const pin of pins.values()) layer?.append(pin.root)
  }
  overlay.onRemove = () => {
    for (const pin of pins.values()) pin.root.remove()
    for (const { root } of bubbles) root.remove()
  }
  overlay.draw = draw
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

  const add = (spec: MarkerSpec): Pin => {
    const content = markerContent(spec)
    const { width, height, anchor } = markerBox(spec)
    content.style.width = `${width}px`
    content.style.height = `${height}px`
    const root = frameOf(content, anchor, spec.label)
    root.addEventListener('click', () => options.onMarker(spec.id))
    const pin: Pin = {
      spec,
      root,
      content,
      pose: { ...spec.at, heading: spec.heading ?? 0 },
      glide: null,
    }
    turnMarker(content, spec.kind, pin.pose.heading)
    put(root, spec.at)
    return pin
  }

  const tick = () => {
    frame = 0
    const now = performance.now()
    let isMoving = false
    for (const pin of pins.values()) {
      if (!pin.glide) continue
      const part = Math.min(1, (now - pin.glide.since) / GLIDE_MS)
      pin.pose = between(pin.glide.from, pin.glide.to, part)
      put(pin.root, pin.pose)
      turnMarker(pin.content, pin.spec.kind, pin.pose.heading)
      if (part < 1) isMoving = true
      else pin.glide = null
    }
    if (isMoving) frame = requestAnimationFrame(tick)
  }

  const move = (pin: Pin, spec: MarkerSpec) => {
    const to = {
      ...spec.at,
      heading: nextHeading(pin.glide?.to ?? pin.pose, spec.at, spec.heading),
    }
    pin.spec = spec
    pin.root.classList.toggle('map-pin-active', spec.active ?? false)
    if (spec.label !== undefined) {
      pin.root.title = spec.label
      pin.root.setAttribute('aria-label', spec.label)
    }
    if (prefersStill() || !isGlide(pin.pose, to)) {
      pin.pose = to
      pin.glide = null
      put(pin.root, to)
      turnMarker(pin.content, spec.kind, to.heading)
      return
    }
    pin.glide = { from: pin.pose, to, since: performance.now() }
    frame ||= requestAnimationFrame(tick)
  }

  const regroup = () => {
    for (const { root } of bubbles) root.remove()
    bubbles = []
    const projection = overlay.getProjection()
    if (!isClustered || !projection) {
      for (const { root } of pins.values()) root.style.display = ''
      return
    }
    const placed = [...pins.values()]
      .filter(({ spec }) => isGrouped(spec))
      .map((item) => {
        const point = projection.fromLatLngToDivPixel(new google.maps.LatLng(item.pose))
        return { x: point?.x ?? 0, y: point?.y ?? 0, item }
      })
    for (const { x, y, items } of clusters(placed)) {
      for (const { root } of items) root.style.display = items.length === 1 ? '' : 'none'
      const at = projection.fromDivPixelToLatLng(new google.maps.Point(x, y))?.toJSON()
      if (items.length === 1 || !at) continue
      const label = items
        .map(({ spec }) => spec.label ?? '')
        .filter(Boolean)
        .slice(0, 8)
        .join(', ')
      const root = frameOf(clusterContent(items.length), [21, 21], label)
      root.addEventListener('click', () => {
        byHand = true
        const bounds = new google.maps.LatLngBounds()
        for (const { pose } of items) bounds.extend(pose)
        map.fitBounds(bounds, 60)
      })
      put(root, at)
      bubbles.push({ root, at })
    }
  }

  const listeners = [
    map.addListener('dragstart', () => (byHand = true)),
    map.addListener('click', ({ latLng }: google.maps.MapMouseEvent) => {
      if (latLng) options.onClick(latLng.toJSON())
    }),
    map.addListener('zoom_changed', () => requestAnimationFrame(regroup)),
    map.addListener('idle', () => {
      const center = map.getCenter()?.toJSON()
      if (center) options.onMove(center, byHand)
      byHand = false
      options.onIdle()
    }),
  ]

  let hasFitted = false
  let lines: google.maps.Polyline[] = []

  return {
    setMarkers: (markers, clustered) => {
      const wanted = new Set(markers.map(({ id }) => id))
      for (const [id, { root }] of pins) {
        if (wanted.has(id)) continue
        root.remove()
        pins.delete(id)
      }
      for (const spec of markers) {
        const known = pins.get(spec.id)
        if (known?.spec.kind === spec.kind && known.spec.image?.url === spec.image?.url) {
          move(known, spec)
        } else {
          known?.root.remove()
          pins.set(spec.id, add(spec))
        }
      }
      isClustered = clustered
      regroup()
    },
    setPaths: (paths) => {
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
    },
    // Google's script speaks the language it was loaded in.
    setLanguage: () => undefined,
    resize: () => undefined,
    destroy: () => {
      cancelAnimationFrame(frame)
      for (const listener of listeners) listener.remove()
      for (const line of lines) line.setMap(null)
      overlay.setMap(null)
    },
  }
}
