import type { MarkerSpec } from './port'

/** A thing on the screen, in pixels. */
export interface Placed<T> {
  x: number
  y: number
  item: T
}

export interface Cluster<T> {
  x: number
  y: number
  items: T[]
}

const DISTANCE = 56
/** Two that touch are easier to tell apart than a "2". */
const FEWEST = 3

/**
 * Groups of things nearer to each other than a finger is wide; what is left alone stays a group of
 * one. The same things in the same places always make the same groups.
 */
export const clusters = <T>(things: readonly Placed<T>[]): Cluster<T>[] => {
  const cells = new Map<string, Placed<T>[]>()
  const cellOf = (v: number) => Math.floor(v / DISTANCE)
  for (const thing of things) {
    const key = `${cellOf(thing.x)},${cellOf(thing.y)}`
    const list = cells.get(key)
    if (list) list.push(thing)
    else cells.set(key, [thing])
  }
  const taken = new Set<Placed<T>>()
  const groups: Cluster<T>[] = []
  for (const thing of things) {
    if (taken.has(thing)) continue
    const members: Placed<T>[] = []
    for (let dx = -1; dx <= 1; dx++)
      for (let dy = -1; dy <= 1; dy++)
        for (const other of cells.get(`${cellOf(thing.x) + dx},${cellOf(thing.y) + dy}`) ?? []) {
          const isNear = Math.hypot(other.x - thing.x, other.y - thing.y) < DISTANCE
          if (isNear && !taken.has(other)) members.push(other)
        }
    if (members.length < FEWEST) {
      taken.add(thing)
      groups.push({ x: thing.x, y: thing.y, items: [thing.item] })
      continue
    }
    for (const member of members) taken.add(member)
    groups.push({
      x: members.reduce((sum, { x }) => sum + x, 0) / members.length,
      y: members.reduce((sum, { y }) => sum + y, 0) / members.length,
      items: members.map(({ item }) => item),
    })
  }
  return groups
}

/** Where a way starts and ends stays in sight; only what there are many of is grouped. */
export const isGrouped = ({ kind, active }: MarkerSpec): boolean =>
  !active && (kind === 'vehicle' || kind === 'dot' || kind === 'image')
