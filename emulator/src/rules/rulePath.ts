import type { View } from './view'

/** The value of `root`, `data` or `newData` in an expression: a view that knows its parent. */
export class RulePath {
  private loadedView: View | null

  constructor(
    readonly parent: RulePath | null,
    private readonly key: string,
    view: View | null,
  ) {
    this.loadedView = view
  }

  /** Loads the view on first use, because most rules need only a few places on their path. */
  get view(): View {
    return (this.loadedView ??= (this.parent as RulePath).view.child(this.key))
  }

  child(key: string): RulePath {
    return new RulePath(this, key, null)
  }

  descend(segments: readonly string[]): RulePath {
    return segments.reduce<RulePath>((place, key) => place.child(key), this)
  }
}

/** Returns the place at the root of a tree. */
export const createRootPath = (view: View): RulePath => new RulePath(null, '', view)

/** The result of `val()` for a place with children: opaque, but comparable with another one. */
export class OpaqueBranch {
  constructor(readonly view: View) {}
}

/** Compares values as the rules language does: without conversions, objects by content. */
export const isEqualValue = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (a instanceof OpaqueBranch && b instanceof OpaqueBranch) return isEqualView(a.view, b.view)
  if (!isObject(a) || !isObject(b)) return false
  const left = a instanceof OpaqueBranch ? a.view.toJSON() : a
  const right = b instanceof OpaqueBranch ? b.view.toJSON() : b
  return isObject(left) && isObject(right) && isEqualObject(left, right)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isEqualObject = (a: Record<string, unknown>, b: Record<string, unknown>): boolean => {
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqualValue(a[key], b[key]))
  )
}

const isEqualView = (a: View, b: View): boolean => {
  if (a === b) return true
  if (a.value() !== b.value()) return false
  const keys = [...a.keys()]
  return (
    keys.length === [...b.keys()].length &&
    keys.every((key) => isEqualView(a.child(key), b.child(key)))
  )
}
