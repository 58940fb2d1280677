import type { MarkerSpec } from './mapPort'

/** An item on the screen, in pixels. */
export interface ScreenItem<T> {
  x: number
  y: number
  item: T
}

export interface Cluster<T> {
  x: number
  y: number
  items: T[]
}

const CLUSTER_DISTANCE_PX = 56
/** Minimum number of items in a cluster: two touching items are easier to tell apart than a "2". */
const MIN_CLUSTER_SIZE = 3

/**
 * Groups items that are closer to each other than the width of a finger; a single item stays a
 * group of one. The same items in the same places always make the same groups.
 */
export const groupIntoClusters = <T>(things: readonly ScreenItem<T>[]): Cluster<T>[] => {
  const cells = new Map<string, ScreenItem<T>[]>()
  const toCell = (v: number) => Math.floor(v / CLUSTER_DISTANCE_PX)
  for (const thing of things) {
    const key = `${toCell(thing.x)},${toCell(thing.y)}`
    const list = cells.get(key)
    if (list) list.push(thing)
    else cells.set(key, [thing])
  }
  const groupedItems = new Set<ScreenItem<T>>()
  const groups: Cluster<T>[] = []
  for (const thing of things) {
    if (groupedItems.has(thing)) continue
    const members: ScreenItem<T>[] = []
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (const other of cells.get(`${toCell(thing.x) + dx},${toCell(thing.y) + dy}`) ?? []) {
          const isNear = Math.hypot(other.x - thing.x, other.y - thing.y) < CLUSTER_DISTANCE_PX
          if (isNear && !groupedItems.has(other)) members.push(other)
        }
    if (members.length < MIN_CLUSTER_SIZE) {
      groupedItems.add(thing)
      groups.push({ x: thing.x, y: thing.y, items: [thing.item] })
      continue
    }
    for (const member of members) groupedItems.add(member)
    groups.push({
      x: members.reduce((sum, { x }) => sum + x, 0) / members.length,
      y: members.reduce((sum, { y }) => sum + y, 0) / members.length,
      items: members.map(({ item }) => item),
    })
  }
  return groups
}

/**
 * Returns true for markers that may be grouped; the start and the end of a route always stay
 * visible.
 */
export const isClusterable = ({ kind, isActive }: Pick<MarkerSpec, 'kind' | 'isActive'>): boolean =>
  !isActive && ['vehicle', 'dot', 'image', 'driver'].includes(kind)
