/** Whether two answers of the database say the same. */
const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return keys.every((key) => key in right && isSame(left[key], right[key]))
}

/** Keeps the rows of one list: what did not change stays the same object, so that nobody draws it again. */
export const keepRows = <Row>() => {
  let kept = new Map<string, { raw: unknown; row: Row }>()
  return (raw: unknown, read: (id: string, value: unknown) => Row | undefined): Row[] => {
    const next = new Map<string, { raw: unknown; row: Row }>()
    // A list with number keys comes as an array.
    for (const [id, value] of Object.entries((raw ?? {}) as object)) {
      if (value === null || value === undefined) continue
      const known = kept.get(id)
      if (known && isSame(known.raw, value)) {
        next.set(id, known)
        continue
      }
      const row = read(id, value)
      if (row !== undefined) next.set(id, { raw: value as unknown, row })
    }
    kept = next
    return [...next.values()].map(({ row }) => row)
  }
}
