/** Returns the position of the first word of a mask, which must not be empty. */
export const getFirstPosition = (mask: number): number => 31 - Math.clz32(mask & -mask)

/** Returns the position of the last word of a mask, -1 for an empty one. */
export const getLastPosition = (mask: number): number => 31 - Math.clz32(mask)

/** Returns true when the mask has the word at a position. */
export const hasPosition = (mask: number, position: number): boolean =>
  (mask & (1 << position)) !== 0

/** Returns the mask of the words that a function accepts. */
export const selectMask = <T>(words: readonly T[], accept: (word: T) => boolean): number =>
  words.reduce((mask, word, i) => (accept(word) ? mask | (1 << i) : mask), 0)
