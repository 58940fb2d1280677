import { isClusterable } from './clusters'
import type { MarkerSpec } from './mapPort'

/** A driver's disc; each state has a mark of its own, so that color alone says nothing. */
const DRIVER_DISC =
  '<circle cx="15" cy="15" r="9.5" class="map-halo"/><circle cx="15" cy="15" r="8" class="map-driver"/><circle cx="15" cy="15" r="3" class="map-asked-mark"/><circle cx="15" cy="15" r="5" class="map-busy-mark"/>'

const MARKER_SVG: Record<Exclude<MarkerSpec['kind'], 'image' | 'number'>, string> = {
  start:
    '<svg viewBox="0 0 28 28" width="28" height="28"><circle cx="14" cy="14" r="10.5" class="map-halo"/><circle cx="14" cy="14" r="8" class="map-start"/><circle cx="14" cy="14" r="3" class="map-halo"/></svg>',
  end: '<svg viewBox="0 0 28 36" width="28" height="36"><path d="M14 35c-1 0-11-12-11-20a11 11 0 0 1 22 0c0 8-10 20-11 20Z" class="map-end"/><rect x="9.5" y="10.5" width="9" height="9" rx="1.5" class="map-halo"/></svg>',
  stop: '<svg viewBox="0 0 22 22" width="22" height="22"><circle cx="11" cy="11" r="8" class="map-halo"/><circle cx="11" cy="11" r="6" class="map-stop"/></svg>',
  vehicle:
    '<svg viewBox="0 0 48 48" width="30" height="30"><rect x="13" y="4" width="22" height="40" rx="9" class="map-car"/><path d="M17 16q7-4 14 0l-1.5 6h-11Z" class="map-glass"/><path d="M18 35h12l1 4q-7 2.5-14 0Z" class="map-glass"/><path d="M16 24v8M32 24v8" class="map-side"/></svg>',
  me: '<svg viewBox="0 0 26 26" width="26" height="26"><circle cx="13" cy="13" r="12" class="map-me-around"/><circle cx="13" cy="13" r="7" class="map-halo"/><circle cx="13" cy="13" r="5" class="map-me"/></svg>',
  dot: '<svg viewBox="0 0 16 16" width="16" height="16"><circle cx="8" cy="8" r="6.5" class="map-halo"/><circle cx="8" cy="8" r="4.5" class="map-dot"/></svg>',
  driver: `<svg viewBox="0 0 30 30" width="30" height="30"><path d="M15 0l6 8H9Z" class="map-arrow"/>${DRIVER_DISC}</svg>`,
}

export interface MarkerBox {
  width: number
  height: number
  /** The pixel of the box that marks the position. */
  anchor: [x: number, y: number]
}

/** Returns the size of a marker's picture and the pixel of it that marks the position. */
export const getMarkerBox = ({ kind, image }: Pick<MarkerSpec, 'kind' | 'image'>): MarkerBox => {
  const [width, height] = {
    start: [28, 28],
    end: [28, 36],
    stop: [22, 22],
    vehicle: [30, 30],
    me: [26, 26],
    dot: [16, 16],
    driver: [30, 30],
    number: [26, 26],
    image: [image?.width ?? 35, image?.height ?? 25],
  }[kind] as [number, number]
  return { width, height, anchor: [width / 2, kind === 'end' ? height - 1 : height / 2] }
}

/** Returns the layer of a marker; those of a higher layer cover the others. */
export const getMarkerLayer = (spec: Pick<MarkerSpec, 'kind' | 'isActive'>): 0 | 1 | 2 => {
  if (spec.isActive) return 2
  return isClusterable(spec) ? 0 : 1
}

/**
 * Creates the part of a marker that turns. Its owner positions it with a transform on another
 * element, because this part uses its own transform to turn.
 */
export const createMarkerContent = ({ kind, image }: MarkerSpec): HTMLElement => {
  const content = document.createElement('div')
  content.className = 'map-marker'
  if (kind === 'number') {
    content.classList.add('map-number')
  } else if (kind === 'image' && image) {
    const picture = document.createElement('img')
    picture.src = image.url
    picture.width = image.width
    picture.height = image.height
    picture.alt = ''
    content.append(picture)
  } else {
    content.innerHTML = MARKER_SVG[kind === 'image' ? 'dot' : kind]
  }
  return content
}

/** Turns a marker's picture, if its kind turns. A driver who has not moved has no direction: 0. */
export const rotateMarker = (
  content: HTMLElement,
  kind: MarkerSpec['kind'],
  heading: number,
): void => {
  if (kind !== 'vehicle' && kind !== 'driver') return
  content.style.transform = `rotate(${heading.toFixed(1)}deg)`
  content.classList.toggle('map-turned', heading !== 0)
}

/** Sets a marker's name, text and state, and whether it is highlighted. */
export const updateMarkerLabel = (
  root: HTMLElement,
  { label, tone, text, isActive = false, isFaint = false }: MarkerSpec,
): void => {
  if (tone) root.dataset.tone = tone
  else delete root.dataset.tone
  const number = root.querySelector('.map-number')
  if (number) number.textContent = text ?? ''
  root.classList.toggle('map-pin-active', isActive)
  root.classList.toggle('map-pin-faint', isFaint)
  if (label === undefined) return
  root.title = label
  root.setAttribute('aria-label', label)
}

/** Side length in pixels. */
export const CLUSTER_SIZE = 42

/** Creates the picture of a cluster with its number of markers. */
export const createClusterContent = (count: number): HTMLElement => {
  const content = document.createElement('div')
  content.className = 'map-cluster'
  content.textContent = count > 999 ? '999+' : String(count)
  return content
}
