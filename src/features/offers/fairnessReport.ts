import type { FairnessReportInput } from '~/domain/api/inputs/office'
import type { FairnessRow } from '~/domain/dispatch/matching/driverMonth'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Returns the drivers of a month that the user may see, fetched page by page. */
export const fetchFairness = createServiceThunk<
  FairnessReportInput & { onProgress?: (count: number) => void },
  FairnessRow[]
>('offers/fairness', async ({ month, onProgress }, { functions }) => {
  const rows: FairnessRow[] = []
  let cursor: string | null = null
  do {
    const page: { rows: FairnessRow[]; next: string | null } = await functions.call(
      'fairness_report',
      { month, ...(cursor !== null && { cursor }) },
    )
    rows.push(...page.rows)
    cursor = page.next
    onProgress?.(rows.length)
  } while (cursor !== null)
  return rows
})
