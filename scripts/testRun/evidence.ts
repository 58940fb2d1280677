import { join } from 'node:path'

const MAX_NAME_LENGTH = 120

/**
 * Returns the folder with the screenshots, consoles and traces of a failed browser test, below the
 * folder of the run's reports. `titles` are those of the blocks around the test and its own.
 */
export const getEvidenceFolder = (file: string, titles: readonly string[]): string => {
  const name = titles.join(' ').replace(/[^\p{L}\p{N}]+/gu, '-')
  return join('failures', file.replace(/^.*\/|\.test\.tsx?$/g, ''), name.slice(0, MAX_NAME_LENGTH))
}
