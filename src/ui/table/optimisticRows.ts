import { useEffect, useMemo, useRef, useState } from 'react'

interface PendingChange<Row> {
  change: Partial<Row>
  /**
   * The row at the time the action finished; a newer row shows its own state. Absent while the
   * action runs.
   */
  since?: Row | undefined
}

/**
 * Returns the rows with pending changes applied at once; a refused change is rolled back. The
 * second value applies such a change.
 */
export const useOptimisticRows = <Row extends { id: string }>(
  rows: Row[],
): [
  Row[],
  (id: string, change: Partial<Row>, operation: () => Promise<unknown>) => Promise<void>,
] => {
  const [pendingChanges, setPendingChanges] = useState<ReadonlyMap<string, PendingChange<Row>>>(
    new Map(),
  )
  const latest = useRef(rows)
  useEffect(() => {
    latest.current = rows
  }, [rows])
  const put = (id: string, change: PendingChange<Row> | null) =>
    setPendingChanges((before) => {
      const after = new Map(before)
      if (change) after.set(id, change)
      else after.delete(id)
      return after
    })
  const shownRows = useMemo(
    () =>
      rows.map((row) => {
        const change = pendingChanges.get(row.id)
        if (!change || (change.since && change.since !== row)) return row
        return { ...row, ...change.change }
      }),
    [rows, pendingChanges],
  )
  const applyOptimistically = async (
    id: string,
    change: Partial<Row>,
    operation: () => Promise<unknown>,
  ) => {
    put(id, { change })
    try {
      await operation()
      put(id, { change, since: latest.current.find((row) => row.id === id) })
    } catch (error) {
      put(id, null)
      throw error
    }
  }
  return [shownRows, applyOptimistically]
}
