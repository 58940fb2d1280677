import * as v from 'valibot'
import { timePage } from '~/src/services/services'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { AuditEntry } from '~/domain/office/types'

interface AuditQuery {
  size: number
  /** The last entry of the page before this one; made by `toTimeCursor`. */
  cursor?: string
  /** True starts with the oldest entry. */
  ascending?: boolean
  /** Only entries at and below this path, without pages. */
  path?: string
}

/**
 * Audit entries of who changed what, newest first, a page at a time (none with size 0), or those at
 * and below one path. Admins only.
 */
export const auditEntries = createLiveSlice('auditdata', 'entries', {
  toQuery: ({ path, ...page }: AuditQuery, profile) =>
    profile?.usertype !== 'admin' || page.size === 0
      ? null
      : path
        ? {
            path: 'audit',
            orderBy: { child: 'path' },
            startAt: path,
            endAt: `${path}/\uf8ff`,
            limitToLast: page.size,
          }
        : { path: 'audit', ...timePage('at', page) },
  schema: createRowSchema<AuditEntry & { id: string }>({
    by: v.string(),
    at: v.number(),
    action: v.string(),
    path: v.string(),
  }),
  // Entries of one millisecond are in the order of the index, so that pages meet without a gap.
  order: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
})
