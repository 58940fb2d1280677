import { defineEvent } from '../defineEvent'

/** The back office takes a booking out of automatic dispatch, to choose its driver by hand. */
export const take = defineEvent({
  from: ['NEW'],
  to: ['NEW'],
  by: ['admin'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: {},
  needs: ['offers'],
  errors: ['demo_mode'],
  isAvailable: ({ taken_by }, { uid }, settings) =>
    settings?.autoDispatch !== false && taken_by !== uid,
  // After another admin has taken it over, or it was handed back, it is a new event.
  findRepeat: ([last], _, { taken_by }, { uid }) => (taken_by === uid ? last : undefined),
})
