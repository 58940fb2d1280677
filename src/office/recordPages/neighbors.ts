import { createContext } from 'react'

/** Opens the record before or after the one in the drawer, if it exists. */
export interface NeighborRecords {
  previous: (() => void) | undefined
  next: (() => void) | undefined
}

/** The records beside the one in a drawer, in the order of the table; null outside of a list. */
export const Neighbors = createContext<NeighborRecords | null>(null)
