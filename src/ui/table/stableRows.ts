import { useState } from 'react'

/**
 * Keeps rows in place while the pointer is on them, so that users never press a button of the wrong
 * row. Changed rows update in place, removed rows stay in their last state, and new rows wait. A
 * change of `view`, which identifies the query, applies at once.
 */
export const useStableRows = <Row extends { id: string }>(rows: Row[], view: unknown) => {
  const [frozen, setFrozen] = useState<{ rows: Row[]; view: unknown } | null>(null)
  const isFrozen = frozen !== null && frozen.view === view && frozen.rows.length > 0
  const now = new Map(rows.map((row) => [row.id, row]))
  const frozenIds = new Set(isFrozen ? frozen.rows.map(({ id }) => id) : [])
  const freeze = () => {
    if (!isFrozen && rows.length > 0) setFrozen({ rows, view })
  }
  const release = () => setFrozen(null)
  return {
    rows: isFrozen ? frozen.rows.map((row) => now.get(row.id) ?? row) : rows,
    /** The shown rows that no longer exist. */
    removedIds: new Set([...frozenIds].filter((id) => !now.has(id))),
    waiting: isFrozen ? rows.filter(({ id }) => !frozenIds.has(id)).length : 0,
    release,
    /**
     * For the element that contains the rows. When a dialog over it closes, the pointer is inside
     * without an enter event.
     */
    pointerHandlers: { onPointerEnter: freeze, onPointerMove: freeze, onPointerLeave: release },
  }
}
