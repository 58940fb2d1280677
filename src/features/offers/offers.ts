import * as v from 'valibot'
import { dbPaths } from '~/domain/data/databasePaths'
import { createLiveRecord, createLiveSlice } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { Offer } from '~/domain/dispatch/types'

/** The ids of the bookings offered to the signed-in driver; load each one with `booking`. */
export const liveOffers = createLiveRecord('taskdata', 'tasks', {
  toQuery: (_: void, profile) =>
    profile?.usertype === 'driver' ? { path: `driver_tasks/${profile.id}` } : null,
  schema: v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((ids) => Object.keys(ids).sort()),
  ),
})

/** The latest offers of a booking, newest first. */
export const bookingOffers = createLiveSlice('bookingoffers', 'offers', {
  toQuery: (booking: string, profile) =>
    profile?.usertype === 'admin'
      ? { path: dbPaths.offers(booking), orderBy: 'key', limitToLast: 50 }
      : null,
  schema: createRowSchema<Offer & { id: string }>({ driver: v.string(), at: v.number() }),
  order: (a, b) => b.at - a.at || Number(b.id) - Number(a.id),
})
