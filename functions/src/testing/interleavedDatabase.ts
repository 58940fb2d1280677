// A database in memory for many processes at once. Deployed code never imports this file.
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { checkRaceGuards, commitChange, readValue, type Tree } from '~/domain/data/memoryTree'
import type { Random } from '~/domain/data/seededRandom'
import { WriteConflictError, type DatabasePort, type Query } from '../ports/database'

/** Thrown by everything that a process does after it has died. */
export class ProcessDied extends Error {}

/** Lets many processes wait, and continues them in a random order that the seed repeats. */
export const createScheduler = (random: Random) => {
  let waiting: (() => void)[] = []
  let running = 0
  return {
    pause: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    /** Starts a process. Its failure is the failure of `finish`. */
    async run(start: () => Promise<void>, failures: unknown[]) {
      running++
      try {
        await start()
      } catch (error) {
        if (!(error instanceof ProcessDied)) failures.push(error)
      } finally {
        running--
      }
    },
    /** Continues the processes until all have ended. */
    async finish() {
      while (running > 0) {
        await new Promise<void>((resolve) => void setImmediate(resolve))
        const ready = waiting
        waiting = []
        for (const next of ready) {
          if (random.chance(0.5)) next()
          else waiting.push(next)
        }
      }
    },
  }
}
type Scheduler = ReturnType<typeof createScheduler>

const toSortValue = (value: DatabaseValue | undefined): string | number =>
  typeof value === 'number' ? value : typeof value === 'string' ? value : ''

const listRows = (tree: Tree, path: string, query: Query): [string, DatabaseValue][] => {
  const { by, equalTo, startAt, endAt, first, last } = query
  const branch = readValue(tree, path)
  const rows = Object.entries((branch ?? {}) as Tree)
    .map(([key, row]) => ({
      key,
      row,
      value: by === '$key' ? key : (row as Tree | null)?.[by],
    }))
    .filter(({ value }) => equalTo === undefined || (value ?? null) === equalTo)
    .filter(
      ({ value }) =>
        startAt === undefined || (value !== undefined && toSortValue(value) >= startAt),
    )
    .filter(
      ({ value }) => endAt === undefined || (value !== undefined && toSortValue(value) <= endAt),
    )
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ key, row }): [string, DatabaseValue] => [key, row])
  if (first !== undefined) return rows.slice(0, first)
  return last !== undefined ? rows.slice(-last) : rows
}

/**
 * Creates the connection of one process. Reads see the tree as it is at that moment. A write is
 * refused like the rules refuse one that another process has overtaken. The process dies before its
 * write with the number `diesAt`.
 */
export const connect = (
  tree: Tree,
  { pause }: Pick<Scheduler, 'pause'>,
  random: Random,
  diesAt = Infinity,
): DatabasePort & { isDead(): boolean; die(): void } => {
  let writes = 0
  let dead = false
  const wait = async (share: number) => {
    if (random.chance(share)) await pause()
    if (dead) throw new ProcessDied()
  }
  return {
    isDead: () => dead,
    die: () => void (dead = true),
    read: async <T>(path: string) => {
      await wait(0.1)
      return structuredClone(readValue(tree, path)) as T | null
    },
    list: async <T>(path: string, query: Query) => {
      await wait(0.1)
      return structuredClone(listRows(tree, path, query)) as [string, T][]
    },
    update: async (updates) => {
      await wait(0.5)
      writes++
      if (writes >= diesAt) dead = true
      if (dead) throw new ProcessDied()
      const refused = checkRaceGuards(tree, { updates })
      if (refused) throw new WriteConflictError({ cause: refused })
      commitChange(tree, { updates: { ...updates } })
    },
  }
}
