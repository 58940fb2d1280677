import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { BookingChange } from '~/domain/booking/eventTypes'

type TreeNode = Record<string, DatabaseValue>
const isNode = (value: DatabaseValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const getIncrement = (value: DatabaseValue): number | undefined => {
  const server = isNode(value) ? value['.sv'] : undefined
  const by = isNode(server) ? server.increment : undefined
  return typeof by === 'number' ? by : undefined
}

/**
 * An in-memory database with just enough features to commit the domain's changes to the demo city.
 */
export class MemoryTree {
  readonly root: TreeNode = {}

  /** Returns the value at a path, or undefined when there is none. */
  get<T>(path: string): T | undefined {
    let at: DatabaseValue | undefined = this.root
    for (const key of path.split('/')) at = isNode(at) ? at[key] : undefined
    return at as T | undefined
  }

  /** Sets the value at a path; null removes it. */
  set(path: string, value: DatabaseValue): void {
    const keys = path.split('/')
    const last = keys.pop() ?? ''
    let at = this.root
    for (const key of keys) {
      const below = at[key]
      if (isNode(below)) at = below
      else at = at[key] = {}
    }
    const by = getIncrement(value)
    if (by !== undefined) {
      const before = at[last]
      at[last] = (typeof before === 'number' ? before : 0) + by
    } else if (value === null) {
      delete at[last]
    } else {
      at[last] = value
    }
  }

  commit({ updates }: Pick<BookingChange, 'updates'>): void {
    for (const [path, value] of Object.entries(updates)) this.set(path, value)
  }
}
