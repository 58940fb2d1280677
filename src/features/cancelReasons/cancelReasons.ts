import * as v from 'valibot'
import type { CancelReason } from '~/domain/entities'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

/** The complex list; the simple one is its labels. */
export const cancelReasons = liveSlice('cancelreasondata', 'complex', {
  at: () => ({ path: 'cancel_reason' }),
  row: rowOf<CancelReason & { id: string }>({ label: v.string(), value: v.number() }),
  order: (a, b) => a.value - b.value,
})

/** Writes the whole list; each value becomes its position. */
export const editCancellationReason = operation<{ labels: string[]; quiet?: boolean }>(
  'cancelreasondata/editCancellationReason',
  async ({ labels }, { database }) => {
    await database.update({ cancel_reason: labels.map((label, value) => ({ label, value })) })
  },
)
