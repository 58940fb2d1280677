import { getOwn } from '../data/ownValue'
import type { RowChange } from './migration'
import type { DispatchMode } from '../catalog/types'

const RENAMED: Readonly<Record<string, DispatchMode>> = { one_by_one: 'nearest', all: 'broadcast' }

/** Renames the values of `dispatchMode`, so that platforms keep the order of offers they chose. */
export const renameDispatchModes: RowChange = {
  collections: ['settings'],
  apply: (row, field) => {
    const stored = row.settings
    if (field !== 'dispatchMode' || typeof stored !== 'string') return row
    return { settings: getOwn(RENAMED, stored) ?? stored }
  },
}
