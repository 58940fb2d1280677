import { useState } from 'react'

/**
 * Rows that stay where they are while the pointer is on them, so that nobody presses the button of another row: what
 * changes, changes in its place; what left is shown as it was last; what is new waits. `view` is what was asked for:
 * another question is answered at once.
 */
export const useSteady = <Row extends { id: string }>(rows: Row[], view: unknown) => {
  const [held, setHeld] = useState<{ rows: Row[]; view: unknown } | null>(null)
  const isHeld = held !== null && held.view === view && held.rows.length > 0
  const now = new Map(rows.map((row) => [row.id, row]))
  const known = new Set(isHeld ? held.rows.map(({ id }) => id) : [])
  const hold = () => {
    if (!isHeld && rows.length > 0) setHeld({ rows, view })
  }
  const release = () => setHeld(null)
  return {
    rows: isHeld ? held.rows.map((row) => now.get(row.id) ?? row) : rows,
    /** Those of them that are no longer there. */
    left: new Set([...known].filter((id) => !now.has(id))),
    waiting: isHeld ? rows.filter(({ id }) => !known.has(id)).length : 0,
    release,
    /** For the element the rows are in. A dialog that closes over it leaves the pointer in it without its having entered. */
    holding: { onPointerEnter: hold, onPointerMove: hold, onPointerLeave: release },
  }
}
