/** Counts the refused calls of this process. */
export interface RefusalCounter {
  /**
   * Counts the outcome of a call: `ok`, `failed`, or the key of a refusal. Writes what it has
   * counted at most once a minute, so that a flood of refused calls makes no flood of writes. The
   * counts of a process that ends meanwhile are lost. Never rejects.
   */
  count(outcome: string, now: number): Promise<void>
}

export const noRefusalCounter: RefusalCounter = { count: () => Promise.resolve() }
