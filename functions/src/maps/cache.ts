import type { Point } from './geo'
import type { MapsPort } from './port'

export interface CacheOptions {
  /** ms since 1970. */
  now?: () => number
  /** What all kept answers may weigh together, in characters of JSON. */
  maxSize?: number
  /** How long an answer is kept, ms. */
  keepMs?: number
}

interface Entry {
  value: unknown
  size: number
  until: number
}

/** Least recently used answers go first when the memory is full; expired ones are never given. */
export class BoundedMemory {
  private readonly entries = new Map<string, Entry>()
  private size = 0
  private readonly maxSize: number

  constructor(maxSize: number) {
    this.maxSize = maxSize
  }

  /** The kept answer, or undefined. */
  get(key: string, now: number): { value: unknown } | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    if (entry.until <= now) {
      this.size -= entry.size
      return undefined
    }
    this.entries.set(key, entry)
    return { value: entry.value }
  }

  /** Keeps an answer; one larger than a tenth of the memory is not worth it. */
  set(key: string, value: unknown, until: number): void {
    const size = key.length + JSON.stringify(value).length
    const old = this.entries.get(key)
    if (old) {
      this.entries.delete(key)
      this.size -= old.size
    }
    if (size > this.maxSize / 10) return
    this.entries.set(key, { value, size, until })
    this.size += size
    for (const [oldest, entry] of this.entries) {
      if (this.size <= this.maxSize) break
      this.entries.delete(oldest)
      this.size -= entry.size
    }
  }

  get count(): number {
    return this.entries.size
  }
}

/** About a metre: a phone's position trembles by more. */
const near = ({ lat, lng }: Point) => `${lat.toFixed(5)},${lng.toFixed(5)}`
/** Where somebody is moves what he sees by kilometres, not by metres. */
const around = (point: Point | undefined) =>
  point ? `${point.lat.toFixed(2)},${point.lng.toFixed(2)}` : ''

/**
 * A maps service that does not ask the same twice: answers are kept for some minutes, and questions
 * asked while the first is still open share its answer. Failures are never kept.
 */
export const cachedMaps = (
  maps: MapsPort,
  { now = Date.now, maxSize = 16_000_000, keepMs = 300_000 }: CacheOptions = {},
): MapsPort => {
  const memory = new BoundedMemory(maxSize)
  const open = new Map<string, Promise<unknown>>()

  const remembered = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const known = memory.get(key, now())
    if (known) return Promise.resolve(known.value as T)
    const asked = open.get(key)
    if (asked) return asked as Promise<T>
    const answer = ask()
      .then((value) => {
        memory.set(key, value, now() + keepMs)
        return value
      })
      .finally(() => open.delete(key))
    open.set(key, answer)
    return answer
  }

  return {
    ...maps,
    autocomplete: (typed, options = {}) => {
      const { country = '', language = '', limit = '', near: at } = options
      const key = ['search', typed.trim().toLowerCase(), country, language, limit, around(at)]
      return remembered(key.join('|'), () => maps.autocomplete(typed, options))
    },
    coords: (placeId, options) =>
      remembered(`coords|${placeId}`, () => maps.coords(placeId, options)),
    address: (at, options) =>
      remembered(`address|${near(at)}|${options?.language ?? ''}`, () => maps.address(at, options)),
    directions: (start, dest, waypoints = [], options) =>
      remembered(
        `route|${[start, ...waypoints, dest].map(near).join('|')}|${options?.language ?? ''}`,
        () => maps.directions(start, dest, waypoints, options),
      ),
    distanceMatrix: (origins, destinations) =>
      remembered(`matrix|${origins.map(near).join('|')}||${destinations.map(near).join('|')}`, () =>
        maps.distanceMatrix(origins, destinations),
      ),
  }
}
