/**
 * One place in a tree of values, existing or not. The rules read the database only through this
 * interface, so they can evaluate any representation: an immutable tree, a pending write or plain
 * JSON.
 */
export interface View {
  /** False when the place has neither a value nor a child. */
  readonly exists: boolean
  /** Returns the place one key below. A missing child has `exists` false. Must be cheap. */
  child(key: string): View
  /** Returns the leaf's value, or null when the place is missing or has children. */
  value(): string | number | boolean | null
  hasChildren(): boolean
  /** Returns the keys of the existing children in any order. */
  keys(): Iterable<string>
  /** Returns the priority of the place, or null. */
  priority(): string | number | null
  /** Returns the whole value as plain JSON without priorities, as `val()` does. */
  toJSON(): unknown
}
