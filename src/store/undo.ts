import { nanoid } from '@reduxjs/toolkit'

// Functions have no place in the store: a notice names its way back by an id.
const ways = new Map<string, () => unknown>()

/** Keeps the way back from what was just done; answers the id for its notice. */
export const undoable = (run: () => unknown): string => {
  const id = nanoid(8)
  ways.set(id, run)
  return id
}

/** Goes back, once. */
export const undo = (id: string) => {
  const run = ways.get(id)
  ways.delete(id)
  run?.()
}

/** The notice is gone, and the way back with it. */
export const forgetUndo = (id: string) => {
  ways.delete(id)
}
