import * as v from 'valibot'
import type { AuditEntry } from '~/domain/entities'
import { liveSlice } from '~/src/store/liveSlice'
import { rowOf } from '~/src/store/rows'

/** Who changed what, newest first, a page at a time; or what is at one path and below it. Admins only. */
export const audit = liveSlice('auditdata', 'entries', {
  at: ({ size, before, path }: { size: number; before?: string; path?: string }, profile) =>
    profile?.usertype !== 'admin'
      ? null
      : path
        ? {
            path: 'audit',
            orderBy: { child: 'path' },
            startAt: path,
            endAt: `${path}/\uf8ff`,
            limitToLast: size,
          }
        : {
            path: 'audit',
            orderBy: { child: 'at' },
            ...(before && {
              endBefore: Number(before.split('.')[0]),
              endBeforeKey: before.slice(before.indexOf('.') + 1),
            }),
            limitToLast: size,
          },
  row: rowOf<AuditEntry & { id: string }>({
    by: v.string(),
    at: v.number(),
    action: v.string(),
    path: v.string(),
  }),
  order: (a, b) => b.at - a.at,
})
