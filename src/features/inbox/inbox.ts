import * as v from 'valibot'
import type { InboxEntry } from '~/domain/entities'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

/** The pushes of whoever is signed in, newest first. */
export const inbox = liveSlice('inboxdata', 'entries', {
  at: (_: void, profile) =>
    profile && { path: `inbox/${profile.id}`, orderBy: 'key', limitToLast: 50 },
  row: rowOf<InboxEntry & { id: string }>({ title: v.string(), msg: v.string(), at: v.number() }),
  order: (a, b) => b.at - a.at,
})

export const markRead = operation<{ uid: string; ids: string[] }>(
  'inboxdata/markRead',
  async ({ uid, ids }, { database }) => {
    await database.update(Object.fromEntries(ids.map((id) => [`inbox/${uid}/${id}/read`, true])))
  },
)
