import type { Change, Value } from '~/domain/booking/change'

type Node = Record<string, Value>
const isNode = (value: Value | undefined): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const incrementOf = (value: Value): number | undefined => {
  const server = isNode(value) ? value['.sv'] : undefined
  const by = isNode(server) ? server.increment : undefined
  return typeof by === 'number' ? by : undefined
}

/** A database in memory, enough of one to commit the domain's changes to while the demo city is made. */
export class Tree {
  readonly root: Node = {}

  /** The value at a path, undefined when there is none. */
  get<T>(path: string): T | undefined {
    let at: Value | undefined = this.root
    for (const key of path.split('/')) at = isNode(at) ? at[key] : undefined
    return at as T | undefined
  }

  /** Puts a value at a path; null removes it. */
  set(path: string, value: Value): void {
    const keys = path.split('/')
    const last = keys.pop() ?? ''
    let at = this.root
    for (const key of keys) {
      const below = at[key]
      if (isNode(below)) at = below
      else at = at[key] = {}
    }
    const by = incrementOf(value)
    if (by !== undefined) {
      const before = at[last]
      at[last] = tidy((typeof before === 'number' ? before : 0) + by)
    } else if (value === null) {
      delete at[last]
    } else {
      at[last] = value
    }
  }

  commit({ updates }: Pick<Change, 'updates'>): void {
    for (const [path, value] of Object.entries(updates)) this.set(path, value)
  }
}

/** The sum without the last bits that adding fractions leaves behind. */
const tidy = (amount: number): number => Number(amount.toFixed(6))
