/**
 * Creates a small seeded generator (mulberry32). The same seed gives the same history, so a failure
 * can be replayed.
 */
export const createSeededRandom = (seed: number) => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  return {
    /** From 0 up to but not including 1. */
    next,
    /** Returns a whole number from `least` to `most`, both inclusive. */
    integer: (least: number, most: number): number =>
      least + Math.floor(next() * (most - least + 1)),
    chance: (share: number): boolean => next() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  }
}
export type Random = ReturnType<typeof createSeededRandom>
