import { clusters, isGrouped } from './clusters'
import { between, GLIDE_MS, isGlide, nextHeading } from './motion'
import type { LatLng } from '~/domain/entities'
import type { Pose } from './motion'
import type { MarkerSpec } from './port'

/** A marker on a map, whoever draws it. */
export interface DrawnPin {
  /** Puts it on its place and turns it. */
  place(pose: Pose): void
  /** Takes over its words and its strength. */
  dress(spec: MarkerSpec): void
  show(isVisible: boolean): void
  remove(): void
}

/** Many at one place of the screen. */
export interface Bubble {
  x: number
  y: number
  places: LatLng[]
  /** The first of them by name. */
  label: string
}

/** What a map must know to show markers. */
export interface PinCanvas {
  draw(spec: MarkerSpec): DrawnPin
  drawBubble(bubble: Bubble): { remove(): void }
  /** Where on the screen a place is; null while there is no screen. */
  project(at: LatLng): { x: number; y: number } | null
  /** Whether the map itself is moving all its markers: a move of ours would tear one off. */
  isSliding(): boolean
}

interface Pin {
  spec: MarkerSpec
  drawn: DrawnPin
  pose: Pose
  glide: { from: Pose; to: Pose; since: number } | null
}

/** So many of a group are named. */
const NAMED = 8

export const prefersStill = () =>
  window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/** The markers of a map: those known by id glide to their new place, many at one place become a group. */
export const createPins = (canvas: PinCanvas) => {
  const pins = new Map<string, Pin>()
  let bubbles: { remove(): void }[] = []
  let isClustered = false
  let frame = 0

  const tick = () => {
    frame = 0
    const now = performance.now()
    let isMoving = false
    for (const pin of pins.values()) {
      if (!pin.glide) continue
      const part = Math.min(1, (now - pin.glide.since) / GLIDE_MS)
      pin.pose = between(pin.glide.from, pin.glide.to, part)
      if (!canvas.isSliding()) pin.drawn.place(pin.pose)
      if (part < 1) isMoving = true
      else pin.glide = null
    }
    if (isMoving) frame = requestAnimationFrame(tick)
  }

  const add = (spec: MarkerSpec): Pin => {
    const pose = { ...spec.at, heading: spec.heading ?? 0 }
    const drawn = canvas.draw(spec)
    drawn.place(pose)
    drawn.dress(spec)
    return { spec, drawn, pose, glide: null }
  }

  const move = (pin: Pin, spec: MarkerSpec) => {
    const { pose } = pin
    const before = pin.glide?.to ?? pose
    const to = { ...spec.at, heading: nextHeading(before, spec.at, spec.heading) }
    pin.spec = spec
    pin.drawn.dress(spec)
    if (before.lat === to.lat && before.lng === to.lng && before.heading === to.heading) return
    if (prefersStill() || !isGlide(pose, to)) {
      pin.pose = to
      pin.glide = null
      pin.drawn.place(to)
      return
    }
    pin.glide = { from: pose, to, since: performance.now() }
    frame ||= requestAnimationFrame(tick)
  }

  const regroup = () => {
    for (const bubble of bubbles) bubble.remove()
    bubbles = []
    const alone = new Set(pins.values())
    if (isClustered) {
      const placed = [...pins.values()].flatMap((item) => {
        const at = isGrouped(item.spec) && canvas.project(item.glide?.to ?? item.pose)
        return at ? [{ ...at, item }] : []
      })
      for (const { x, y, items } of clusters(placed)) {
        if (items.length === 1) continue
        for (const one of items) alone.delete(one)
        const names = items.flatMap(({ spec }) => spec.label || [])
        const places = items.map(({ pose }) => pose)
        bubbles.push(canvas.drawBubble({ x, y, places, label: names.slice(0, NAMED).join(', ') }))
      }
    }
    for (const pin of pins.values()) pin.drawn.show(alone.has(pin))
  }

  const drop = (id: string) => {
    pins.get(id)?.drawn.remove()
    pins.delete(id)
  }

  return {
    /** Shows exactly these. */
    set: (markers: readonly MarkerSpec[], clustered: boolean) => {
      const wanted = new Set(markers.map(({ id }) => id))
      for (const id of pins.keys()) if (!wanted.has(id)) drop(id)
      for (const spec of markers) {
        const known = pins.get(spec.id)
        const isSame = known?.spec.kind === spec.kind && known.spec.image?.url === spec.image?.url
        if (isSame) {
          move(known, spec)
          continue
        }
        drop(spec.id)
        pins.set(spec.id, add(spec))
      }
      if (!clustered && !isClustered) return
      isClustered = clustered
      regroup()
    },
    /** After the map's scale changed: places are elsewhere on the screen, and nearer to each other or farther. */
    rescale: () => {
      for (const { drawn, pose } of pins.values()) drawn.place(pose)
      if (isClustered) regroup()
    },
    clear: () => {
      cancelAnimationFrame(frame)
      for (const id of pins.keys()) drop(id)
      for (const bubble of bubbles) bubble.remove()
      bubbles = []
    },
  }
}
