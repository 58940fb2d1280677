import type { RefusalDay } from '~/domain/access/refusals'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Returns how many calls were refused on each of the last days. */
export const fetchRefusals = createServiceThunk<void, RefusalDay[]>(
  'audit/refusals',
  async (_, { functions }) => (await functions.call('list_refusals', {})).days,
)
