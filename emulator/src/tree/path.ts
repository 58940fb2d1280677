/** A place in the tree: the keys from the root, none for the root itself. */
export type Path = readonly string[]

/** The deepest a child may lie, as in the original. */
export const MAX_DEPTH = 32
const MAX_KEY_BYTES = 768
// eslint-disable-next-line no-control-regex -- control characters are exactly what is refused
const FORBIDDEN = /[.#$/[\]\u0000-\u001f\u007f]/
const PRIORITY = '.priority'

/** True when a client may store a child under this key. */
export const isKey = (key: string): boolean =>
  key !== '' &&
  !FORBIDDEN.test(key) &&
  (key.length * 3 <= MAX_KEY_BYTES || Buffer.byteLength(key) <= MAX_KEY_BYTES)

/** A path that names what can't be stored, or lies too deep. */
export class PathError extends Error {}

/** Splits `/a/b/` into its keys, which need not be valid. */
export const splitPath = (text: string): string[] => text.split('/').filter((key) => key !== '')

export interface Target {
  readonly path: Path
  /** True for `…/.priority`, which writes the priority of `path`. */
  readonly priority: boolean
}

/** The place a write names; throws a PathError for an invalid one. */
export const targetOf = (keys: readonly string[]): Target => {
  const priority = keys.at(-1) === PRIORITY
  const path = priority ? keys.slice(0, -1) : keys
  if (path.length > MAX_DEPTH) throw new PathError(`Path is deeper than ${MAX_DEPTH} children`)
  for (const key of path) {
    if (!isKey(key)) {
      throw new PathError(
        'Invalid path: keys must be non-empty, at most 768 bytes, and can\'t contain ".", "#", "$", "/", "[", or "]"',
      )
    }
  }
  return { path, priority }
}

/** The place a read names; throws a PathError for an invalid one. */
export const placeOf = (keys: readonly string[]): Path => {
  const { path, priority } = targetOf(keys)
  if (priority) throw new PathError('Invalid path: .priority can only be written')
  return path
}

/** True when `path` is `ancestor` or lies below it. */
export const isWithin = (path: Path, ancestor: Path): boolean =>
  ancestor.length <= path.length && ancestor.every((key, i) => key === path[i])
