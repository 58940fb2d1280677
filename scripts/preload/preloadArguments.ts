import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The files of this folder. Each changes a library before the program of its process loads it. */
export type Preload = 'requestGuard' | 'lazyValidation'

/** Returns the arguments with which Node.js loads these files before its program. */
export const getPreloadArguments = (...preloads: readonly Preload[]): string[] =>
  preloads.flatMap((name) => [
    '--import',
    pathToFileURL(join(import.meta.dirname, `${name}.mjs`)).href,
  ])
