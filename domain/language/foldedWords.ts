/**
 * Returns the text in lower case without accents, so that "Rincón" and "rincon" are the same word.
 */
export const foldText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns the folded words of a text: letters and digits, in order. */
export const splitWords = (text: string): string[] =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
