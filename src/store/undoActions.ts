import { nanoid } from '@reduxjs/toolkit'

// Functions cannot be in the store, so a notice refers to its undo function by id.
const undoActions = new Map<string, () => unknown>()

/** Registers the function that undoes an action; returns the id for its notice. */
export const registerUndo = (run: () => unknown): string => {
  const id = nanoid(8)
  undoActions.set(id, run)
  return id
}

/** Undoes an action, at most once. */
export const undo = (id: string) => {
  const run = undoActions.get(id)
  undoActions.delete(id)
  run?.()
}

/** Removes the undo function of a dismissed notice. */
export const forgetUndo = (id: string) => {
  undoActions.delete(id)
}
