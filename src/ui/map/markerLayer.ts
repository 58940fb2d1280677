import { groupIntoClusters, isClusterable } from './clusters'
import { interpolatePose, GLIDE_MS, canGlide, getNextHeading } from './markerMotion'
import type { Pose } from './markerMotion'
import type { MarkerSpec } from './mapPort'
import type { LatLng } from '~/domain/geo/types'

/** A marker on a map, independent of the map library. */
export interface DrawnMarker {
  /** Sets its position and rotation. */
  setPose(pose: Pose): void
  /** Updates its label and highlight. */
  update(spec: MarkerSpec): void
  setVisible(isVisible: boolean): void
  remove(): void
}

/** Several markers at one place of the screen. */
export interface ClusterSpec {
  x: number
  y: number
  positions: LatLng[]
  /** The names of the first markers in it. */
  label: string
}

/** The functions a map must provide to show markers. */
export interface MarkerCanvas {
  drawMarker(spec: MarkerSpec): DrawnMarker
  drawCluster(bubble: ClusterSpec): { remove(): void }
  /** Returns the screen position in pixels; null before the screen exists. */
  project(at: LatLng): { x: number; y: number } | null
  /**
   * Returns true while the map itself moves all its markers; a move of ours would pull one out of
   * place.
   */
  isAnimating(): boolean
}

interface MarkerState {
  spec: MarkerSpec
  drawn: DrawnMarker
  pose: Pose
  glide: { from: Pose; to: Pose; since: number } | null
}

/** Maximum number of names in a cluster's label. */
const MAX_NAMES = 8

export const prefersReducedMotion = () =>
  window.matchMedia?.('(prefers-reduced-motion: reduce)').matches ?? false

/**
 * Creates the markers of a map: markers with a known ID glide to their new position, and
 * overlapping ones form a cluster.
 */
export const createMarkerLayer = (canvas: MarkerCanvas) => {
  const markerStates = new Map<string, MarkerState>()
  let drawnClusters: { remove(): void }[] = []
  let isClustered = false
  let frame = 0

  const tick = () => {
    frame = 0
    const now = performance.now()
    let isMoving = false
    for (const pin of markerStates.values()) {
      if (!pin.glide) continue
      const part = Math.min(1, (now - pin.glide.since) / GLIDE_MS)
      pin.pose = interpolatePose(pin.glide.from, pin.glide.to, part)
      if (!canvas.isAnimating()) pin.drawn.setPose(pin.pose)
      if (part < 1) isMoving = true
      else pin.glide = null
    }
    if (isMoving) frame = requestAnimationFrame(tick)
  }

  const add = (spec: MarkerSpec): MarkerState => {
    const pose = { ...spec.position, heading: spec.heading ?? 0 }
    const drawn = canvas.drawMarker(spec)
    drawn.setPose(pose)
    drawn.update(spec)
    return { spec, drawn, pose, glide: null }
  }

  const move = (pin: MarkerState, spec: MarkerSpec) => {
    const { pose } = pin
    const before = pin.glide?.to ?? pose
    const to = { ...spec.position, heading: getNextHeading(before, spec.position, spec.heading) }
    pin.spec = spec
    pin.drawn.update(spec)
    if (before.lat === to.lat && before.lng === to.lng && before.heading === to.heading) return
    if (prefersReducedMotion() || !canGlide(pose, to)) {
      pin.pose = to
      pin.glide = null
      pin.drawn.setPose(to)
      return
    }
    pin.glide = { from: pose, to, since: performance.now() }
    frame ||= requestAnimationFrame(tick)
  }

  const regroup = () => {
    for (const bubble of drawnClusters) bubble.remove()
    drawnClusters = []
    const alone = new Set(markerStates.values())
    if (isClustered) {
      const placed = [...markerStates.values()].flatMap((item) => {
        const at = isClusterable(item.spec) && canvas.project(item.glide?.to ?? item.pose)
        return at ? [{ ...at, item }] : []
      })
      for (const { x, y, items } of groupIntoClusters(placed)) {
        if (items.length === 1) continue
        for (const one of items) alone.delete(one)
        const names = items.flatMap(({ spec }) => spec.label || [])
        const places = items.map(({ pose }) => pose)
        drawnClusters.push(
          canvas.drawCluster({
            x,
            y,
            positions: places,
            label: names.slice(0, MAX_NAMES).join(', '),
          }),
        )
      }
    }
    for (const pin of markerStates.values()) pin.drawn.setVisible(alone.has(pin))
  }

  const drop = (id: string) => {
    markerStates.get(id)?.drawn.remove()
    markerStates.delete(id)
  }

  return {
    /** Shows exactly these markers. */
    set: (markers: readonly MarkerSpec[], clustered: boolean) => {
      const wanted = new Set(markers.map(({ id }) => id))
      for (const id of markerStates.keys()) if (!wanted.has(id)) drop(id)
      for (const spec of markers) {
        const known = markerStates.get(spec.id)
        const isSame = known?.spec.kind === spec.kind && known.spec.image?.url === spec.image?.url
        if (isSame) {
          move(known, spec)
          continue
        }
        drop(spec.id)
        markerStates.set(spec.id, add(spec))
      }
      if (!clustered && !isClustered) return
      isClustered = clustered
      regroup()
    },
    /** Recomputes positions and clusters after the map's scale changed. */
    rescale: () => {
      for (const { drawn, pose } of markerStates.values()) drawn.setPose(pose)
      if (isClustered) regroup()
    },
    clear: () => {
      cancelAnimationFrame(frame)
      for (const id of markerStates.keys()) drop(id)
      for (const bubble of drawnClusters) bubble.remove()
      drawnClusters = []
    },
  }
}
