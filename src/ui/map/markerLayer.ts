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

/** Moves markers to their new positions, frame by frame. */
const createGlider = (states: ReadonlyMap<string, MarkerState>, canvas: MarkerCanvas) => {
  let frame = 0
  const tick = () => {
    frame = 0
    const now = performance.now()
    let isMoving = false
    for (const state of states.values()) {
      if (!state.glide) continue
      const part = Math.min(1, (now - state.glide.since) / GLIDE_MS)
      state.pose = interpolatePose(state.glide.from, state.glide.to, part)
      if (!canvas.isAnimating()) state.drawn.setPose(state.pose)
      if (part < 1) isMoving = true
      else state.glide = null
    }
    if (isMoving) frame = requestAnimationFrame(tick)
  }
  return {
    /** Moves a marker to the position that its spec now has. */
    move: (state: MarkerState, spec: MarkerSpec): void => {
      const { pose } = state
      const before = state.glide?.to ?? pose
      const to = { ...spec.position, heading: getNextHeading(before, spec.position, spec.heading) }
      state.spec = spec
      state.drawn.update(spec)
      if (before.lat === to.lat && before.lng === to.lng && before.heading === to.heading) return
      if (prefersReducedMotion() || !canGlide(pose, to)) {
        state.pose = to
        state.glide = null
        state.drawn.setPose(to)
        return
      }
      state.glide = { from: pose, to, since: performance.now() }
      frame ||= requestAnimationFrame(tick)
    },
    stop: () => cancelAnimationFrame(frame),
  }
}

/** Draws the clusters of markers that overlap. Returns them, and the markers that stand alone. */
const drawClusters = (states: ReadonlyMap<string, MarkerState>, canvas: MarkerCanvas) => {
  const alone = new Set(states.values())
  const placed = [...states.values()].flatMap((item) => {
    const at = isClusterable(item.spec) && canvas.project(item.glide?.to ?? item.pose)
    return at ? [{ ...at, item }] : []
  })
  const clusters = groupIntoClusters(placed)
    .filter(({ items }) => items.length > 1)
    .map(({ x, y, items }) => {
      for (const one of items) alone.delete(one)
      const names = items.flatMap(({ spec }) => spec.label || [])
      const label = names.slice(0, MAX_NAMES).join(', ')
      return canvas.drawCluster({ x, y, positions: items.map(({ pose }) => pose), label })
    })
  return { clusters, alone }
}

/**
 * Creates the markers of a map: markers with a known ID glide to their new position, and
 * overlapping ones form a cluster.
 */
export const createMarkerLayer = (canvas: MarkerCanvas) => {
  const states = new Map<string, MarkerState>()
  const glider = createGlider(states, canvas)
  let clusters: { remove(): void }[] = []
  let isClustered = false

  const add = (spec: MarkerSpec): MarkerState => {
    const pose = { ...spec.position, heading: spec.heading ?? 0 }
    const drawn = canvas.drawMarker(spec)
    drawn.setPose(pose)
    drawn.update(spec)
    return { spec, drawn, pose, glide: null }
  }
  const removeClusters = () => {
    for (const cluster of clusters) cluster.remove()
    clusters = []
  }
  const regroup = () => {
    removeClusters()
    const drawn = isClustered ? drawClusters(states, canvas) : undefined
    clusters = drawn?.clusters ?? []
    for (const state of states.values())
      state.drawn.setVisible(drawn === undefined || drawn.alone.has(state))
  }
  const drop = (id: string) => {
    states.get(id)?.drawn.remove()
    states.delete(id)
  }

  return {
    /** Shows exactly these markers. */
    set: (markers: readonly MarkerSpec[], clustered: boolean) => {
      const ids = new Set(markers.map(({ id }) => id))
      for (const id of states.keys()) if (!ids.has(id)) drop(id)
      for (const spec of markers) {
        const state = states.get(spec.id)
        const isSame = state?.spec.kind === spec.kind && state.spec.image?.url === spec.image?.url
        if (isSame) {
          glider.move(state, spec)
          continue
        }
        drop(spec.id)
        states.set(spec.id, add(spec))
      }
      if (!clustered && !isClustered) return
      isClustered = clustered
      regroup()
    },
    /** Recomputes positions and clusters after the map's scale changed. */
    rescale: () => {
      for (const { drawn, pose } of states.values()) drawn.setPose(pose)
      if (isClustered) regroup()
    },
    clear: () => {
      glider.stop()
      for (const id of states.keys()) drop(id)
      removeClusters()
    },
  }
}
