import { isDeepEqual } from '~/src/ui/isDeepEqual'

/** Creates a reader that reuses unchanged rows of a list, so that React skips rendering them. */
export const makeRowReuser = <Row>() => {
  let previousRows = new Map<string, { raw: unknown; row: Row }>()
  return (raw: unknown, read: (id: string, value: unknown) => Row | undefined): Row[] => {
    const next = new Map<string, { raw: unknown; row: Row }>()
    // The database returns a list with number keys as an array.
    for (const [id, value] of Object.entries(raw ?? {})) {
      if (value === null || value === undefined) continue
      const previousEntry = previousRows.get(id)
      if (previousEntry && isDeepEqual(previousEntry.raw, value)) {
        next.set(id, previousEntry)
        continue
      }
      const row = read(id, value)
      if (row !== undefined) next.set(id, { raw: value as unknown, row })
    }
    previousRows = next
    return [...next.values()].map(({ row }) => row)
  }
}
