import { toJson } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { type PanicAlert, takePanic, toPanicAlertId } from '~/domain/messages/officeAlert'
import { checkAction } from '~/domain/access/permissions'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { readUser, WriteConflictError } from '../../ports/database'
import { readSettings } from '../../services/office/settings'
import type { User } from '~/domain/accounts/types'

/** Takes care of an emergency, or closes it. */
export const answer_panic = defineUserEndpoint({
  name: 'answer_panic',
  summary:
    'Takes care of an emergency, which ends its sound in the whole office, or closes it, which removes it from every screen. `first` is false when a colleague was faster or the person pressed the button again.',
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['demo_mode'],
  async handle({ booking_id, uid, how, revision }, { actor, db, now }) {
    throwIfError(checkAction('panic_answer', actor.role, await readSettings(db)))
    const path = dbPaths.officeAlert(toPanicAlertId(booking_id, uid))
    const alert = await db.read<PanicAlert>(path)
    if (alert?.revision !== revision) return { first: false }
    const admin = await readUser<User>(db, actor.uid)
    const takenAlert = takePanic(
      alert,
      { uid: actor.uid, name: admin ? formatFullName(admin) : '' },
      revision,
    )
    if (how === 'take' && !takenAlert) return { first: false }
    const entry = {
      by: actor.uid,
      at: now,
      action: `booking_panic_${how}`,
      path: dbPaths.booking(booking_id),
    }
    try {
      await db.update({
        [path]: how === 'take' && takenAlert ? toJson(takenAlert) : null,
        // The alert's revision tells its presses apart, and its time one alert from the next.
        ...buildAuditEntry(entry, `${booking_id}/panic/${uid}/${alert.at}/${revision}`),
      })
      return { first: true }
    } catch (error) {
      // Safe because of two admins who saw the same revision, the rules take one.
      if (!(error instanceof WriteConflictError)) throw error
      return { first: false }
    }
  },
})
