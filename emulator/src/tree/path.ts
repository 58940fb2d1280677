/** A place in the tree: the keys from the root, empty for the root itself. */
export type Path = readonly string[]

/** The maximum depth of a child, as in the original. */
export const MAX_DEPTH = 32
const MAX_KEY_BYTES = 768
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is refused
const FORBIDDEN_CHARACTERS = /[.#$/[\]\u0000-\u001f\u007f]/
const PRIORITY_KEY = '.priority'

/** Returns true when a client may store a child under this key. */
export const isKey = (key: string): boolean =>
  key !== '' &&
  !FORBIDDEN_CHARACTERS.test(key) &&
  (key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES)

/** A path that is invalid or too deep. */
export class PathError extends Error {}

/** Splits `/a/b/` into its keys without validating them. */
export const splitPath = (text: string): string[] => text.split('/').filter((key) => key !== '')

export interface WriteTarget {
  readonly path: Path
  /** True for `…/.priority`, which writes the priority of `path`. */
  readonly isPriority: boolean
}

/** Returns the place of a write. Throws a PathError for an invalid path. */
export const parseWritePath = (keys: readonly string[]): WriteTarget => {
  const priority = keys.at(-1) === PRIORITY_KEY
  const path = priority ? keys.slice(0, -1) : keys
  if (path.length > MAX_DEPTH) throw new PathError(`Path is deeper than ${MAX_DEPTH} children`)
  for (const key of path) {
    if (!isKey(key)) {
      throw new PathError(
        'Invalid path: keys must be non-empty, at most 768 bytes, and can\'t contain ".", "#", "$", "/", "[", or "]"',
      )
    }
  }
  return { path, isPriority: priority }
}

/** Returns the place of a read. Throws a PathError for an invalid path. */
export const parseReadPath = (keys: readonly string[]): Path => {
  const { path, isPriority } = parseWritePath(keys)
  if (isPriority) throw new PathError('Invalid path: .priority can only be written')
  return path
}

/** Returns true when `path` is `ancestor` or below it. */
export const isWithin = (path: Path, ancestor: Path): boolean =>
  ancestor.length <= path.length && ancestor.every((key, i) => key === path[i])
