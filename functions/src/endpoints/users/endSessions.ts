import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { toWholeSecond } from '~/domain/language/timeUnits'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { fail, throwIfError } from '../../domainException'
import { readUser } from '../../ports/database'
import { readSettings } from '../../services/office/settings'
import { buildSessionsEnd, signOutDevices } from '../../services/users/sessionsEnd'
import type { User } from '~/domain/accounts/types'

/** Signs a person out on all devices. */
export const end_sessions = defineUserEndpoint({
  name: 'end_sessions',
  summary:
    'Signs a person out on all devices, including this one: people themselves, and admins with a fresh sign-in anyone. Afterwards only the phone number or the social account of their record signs in. The functions and the database refuse what an earlier sign-in asks for or writes, and no device gets another ID token or a push. A token that a device has can read for up to an hour.',
  allow: ALL_USER_TYPES,
  limit: 30,
  spends: [],
  needsFreshSignIn: ({ uid }, actor) => uid !== actor.uid,
  errors: ['fresh_sign_in_needed', 'not_allowed', 'not_found', 'demo_mode'],
  async handle({ uid }, { actor, accounts, clock, db, now }) {
    const isSelf = uid === actor.uid
    const path = dbPaths.user(uid)
    const [settings, user] = await Promise.all([readSettings(db), readUser<User>(db, uid)])
    if (!isSelf) throwIfError(checkAction('sessions_end', actor.role, settings))
    // Many people share an account of a demo.
    if (!settings.AllowCriticalEditsAdmin) fail('demo_mode')
    if (!user) return fail('not_found', 'uid')
    const entry = { by: actor.uid, at: now, action: 'sessions_end', path }
    // First, because it refuses tokens that are still valid. A repeat does everything again.
    await db.update({
      ...buildSessionsEnd(uid, now),
      ...(!isSelf && buildAuditEntry(entry, `${uid}/sessions`)),
    })
    await signOutDevices({ accounts, clock, db }, user)
    return { uid, sessionsEnd: toWholeSecond(now) }
  },
})
