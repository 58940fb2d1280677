import { defineEvent } from '../defineEvent'

/** The back office hands a booking that it has taken back to automatic dispatch. */
export const handBack = defineEvent({
  from: ['NEW'],
  to: ['NEW'],
  by: ['admin'],
  logKey: 'perRevision',
  isStatusKept: true,
  startsDispatch: () => true,
  input: {},
  needs: [],
  errors: [],
  isAvailable: ({ taken_by }) => taken_by !== undefined,
  findRepeat: ([last], _, { taken_by }) => (taken_by === undefined ? last : undefined),
})
