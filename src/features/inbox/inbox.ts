import * as v from 'valibot'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { InboxEntry } from '~/domain/messages/types'

/** The pushes of the signed-in user, newest first. */
export const liveInbox = createLiveSlice('inboxdata', 'entries', {
  toQuery: (_: void, profile) =>
    profile && { path: `inbox/${profile.id}`, orderBy: 'key', limitToLast: 50 },
  schema: createRowSchema<InboxEntry & { id: string }>({
    title: v.string(),
    msg: v.string(),
    at: v.number(),
  }),
  order: (a, b) => b.at - a.at,
})

export const markRead = createServiceThunk<{ uid: string; ids: string[] }>(
  'inboxdata/markRead',
  async ({ uid, ids }, { database }) => {
    await database.update(Object.fromEntries(ids.map((id) => [`inbox/${uid}/${id}/read`, true])))
  },
)
