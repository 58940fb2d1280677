/**
 * One place in a tree of values, existing or not. The rules read the database only through this, so
 * that any representation (an immutable tree, a write not yet applied, plain JSON) can be judged.
 */
export interface View {
  /** False where there is neither a leaf nor a child. */
  readonly exists: boolean
  /** The place one key below; a missing child is a view with `exists` false. Must be cheap. */
  child(key: string): View
  /** The leaf's value; null when the place is missing or has children. */
  value(): string | number | boolean | null
  hasChildren(): boolean
  /** The keys of the children that exist; their order does not matter. */
  keys(): Iterable<string>
  /** The place's priority; null when it has none. */
  priority(): string | number | null
  /** The whole value as plain JSON without priorities, as `val()` gives it. */
  toJSON(): unknown
}
