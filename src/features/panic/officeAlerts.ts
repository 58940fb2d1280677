import * as v from 'valibot'
import { dbPaths } from '~/domain/data/databasePaths'
import { FIRST_ALERT_KEY, type OfficeAlert, type PanicAlert } from '~/domain/messages/officeAlert'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'

/** Maximum number of alerts that a page reads. Emergencies come before news. */
const MAX_ALERTS = 30

type AlertRow = (OfficeAlert | PanicAlert) & { id: string }

/** News and emergencies of the office, the oldest first; admins only. */
export const officeAlerts = createLiveSlice('officealerts', 'alerts', {
  toQuery: (_: void, profile) =>
    profile?.usertype === 'admin'
      ? {
          path: dbPaths.officeCalls,
          orderBy: 'key',
          startAt: FIRST_ALERT_KEY,
          limitToLast: MAX_ALERTS,
        }
      : null,
  schema: createRowSchema<AlertRow>({
    event: v.string(),
    at: v.number(),
    expires: v.number(),
    revision: v.number(),
  }),
  order: (a, b) => a.at - b.at,
})

/** Returns true for an emergency. */
export const isPanic = (alert: AlertRow): alert is PanicAlert & { id: string } =>
  alert.event === 'panic' && 'by' in alert
