import type { View } from './view'

/** What an expression holds when it says `root`, `data` or `newData`: a view that knows its parent. */
export class Place {
  private found: View | null

  constructor(
    readonly parent: Place | null,
    private readonly key: string,
    view: View | null,
  ) {
    this.found = view
  }

  /** Looked up when first needed: most rules never ask for most of the places on their path. */
  get view(): View {
    return (this.found ??= (this.parent as Place).view.child(this.key))
  }

  child(key: string): Place {
    return new Place(this, key, null)
  }

  descend(segments: readonly string[]): Place {
    return segments.reduce<Place>((place, key) => place.child(key), this)
  }
}

/** The place at the root of a tree. */
export const rootPlace = (view: View): Place => new Place(null, '', view)

/** What `val()` gives for a place with children: opaque, except that two of them can be compared. */
export class Branch {
  constructor(readonly view: View) {}
}

/** Equality of the rules language: no conversions, objects by content. */
export const sameValue = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (a instanceof Branch && b instanceof Branch) return sameView(a.view, b.view)
  if (!isObject(a) || !isObject(b)) return false
  const left = a instanceof Branch ? a.view.toJSON() : a
  const right = b instanceof Branch ? b.view.toJSON() : b
  return isObject(left) && isObject(right) && sameObject(left, right)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const sameObject = (a: Record<string, unknown>, b: Record<string, unknown>): boolean => {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  )
}

const sameView = (a: View, b: View): boolean => {
  if (a === b) return true
  if (a.value() !== b.value()) return false
  const keys = [...a.keys()]
  return (
    keys.length === [...b.keys()].length &&
    keys.every((key) => sameView(a.child(key), b.child(key)))
  )
}
