import * as v from 'valibot'
import { liveRecord } from '~/src/store/liveSlice'

/** The ids of the bookings the signed-in driver is asked to take; look at each with `booking`. */
export const tasks = liveRecord('taskdata', 'tasks', {
  at: (_: void, profile) =>
    profile?.usertype === 'driver' ? { path: `driver_tasks/${profile.id}` } : null,
  row: v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((ids) => Object.keys(ids).sort()),
  ),
})
