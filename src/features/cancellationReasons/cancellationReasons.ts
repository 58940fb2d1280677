import * as v from 'valibot'
import { renumberReasons } from '~/domain/catalog/cancellationReasons'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { CancellationReason } from '~/domain/catalog/types'

/** The cancellation reasons as full records. */
export const liveCancellationReasons = createLiveSlice('cancelreasondata', 'complex', {
  toQuery: () => ({ path: 'cancel_reason' }),
  schema: createRowSchema<CancellationReason & { id: string }>({
    label: v.string(),
    names: v.optional(v.record(v.string(), v.string())),
    value: v.number(),
  }),
  order: (a, b) => a.value - b.value,
})

/** Writes the whole list; each value becomes its position. */
export const editCancellationReason = createServiceThunk<{
  reasons: readonly Pick<CancellationReason, 'label' | 'names'>[]
}>('cancelreasondata/editCancellationReason', async ({ reasons }, { database }) => {
  await database.update({
    cancel_reason: renumberReasons(reasons).map((reason) => ({ ...reason })),
  })
})
