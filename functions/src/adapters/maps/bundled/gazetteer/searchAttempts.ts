import { separateCompounds, type Vocabulary } from './compoundWords'

/**
 * The ways to search: with typos in words that no name has, with typos in any word, and for a
 * street whose whole name is in the text.
 */
export type SearchMode = 'exact' | 'misspelt' | 'named'

/** Returns texts and ways to search them, each tried when the earlier ones find nothing. */
export const listAttempts = (typed: string, vocabulary: Vocabulary): [string, SearchMode][] => {
  const separated = separateCompounds(typed, vocabulary)
  const attempts: [string, SearchMode][] = [
    [typed, 'exact'],
    [typed, 'misspelt'],
    [typed, 'named'],
  ]
  return separated === null ? attempts : [[separated, 'exact'], ...attempts]
}
