import * as v from 'valibot'
import { createLiveRecord } from './live/liveSlice'

/**
 * Offset of the server's clock from this device's clock in ms, positive when the server is ahead.
 */
export const serverOffset = createLiveRecord('serveroffset', 'offset', {
  toQuery: () => ({ path: '.info/serverTimeOffset' }),
  schema: v.number(),
  isPublic: true,
})
