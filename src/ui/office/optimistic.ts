import { useEffect, useMemo, useRef, useState } from 'react'

interface Hope<Row> {
  change: Partial<Row>
  /** The row as it was when the deed was done; a newer one says itself how it is. Absent: not done yet. */
  since?: Row | undefined
}

/** Rows as they will be once what was just asked for is done: shown so at once, taken back when it is refused. */
export const useOptimistic = <Row extends { id: string }>(
  rows: Row[],
): [Row[], (id: string, change: Partial<Row>, deed: () => Promise<unknown>) => Promise<void>] => {
  const [hopes, setHopes] = useState<ReadonlyMap<string, Hope<Row>>>(new Map())
  const latest = useRef(rows)
  useEffect(() => {
    latest.current = rows
  }, [rows])
  const put = (id: string, hope: Hope<Row> | null) =>
    setHopes((before) => {
      const after = new Map(before)
      if (hope) after.set(id, hope)
      else after.delete(id)
      return after
    })
  const shown = useMemo(
    () =>
      rows.map((row) => {
        const hope = hopes.get(row.id)
        if (!hope || (hope.since && hope.since !== row)) return row
        return { ...row, ...hope.change }
      }),
    [rows, hopes],
  )
  const hoping = async (id: string, change: Partial<Row>, deed: () => Promise<unknown>) => {
    put(id, { change })
    try {
      await deed()
      put(id, { change, since: latest.current.find((row) => row.id === id) })
    } catch (error) {
      put(id, null)
      throw error
    }
  }
  return [shown, hoping]
}
