import { dbPaths } from '~/domain/databasePaths'
import { toWholeSecond } from '~/domain/sessions'
import { ALL_USER_TYPES, defineUserEndpoint } from '../http/endpointTypes'
import { fail } from '../http/domainException'
import { readSettings } from '../settings'

/** Signs a person out on all devices. */
export const end_sessions = defineUserEndpoint({
  name: 'end_sessions',
  summary:
    'Signs a person out on all devices, including this one: people themselves, and admins anyone. The functions and the database refuse what an earlier sign-in asks for or writes, and no device gets another ID token. A token that a device has can read for up to an hour.',
  allow: ALL_USER_TYPES,
  limit: 30,
  errors: ['not_allowed', 'not_found', 'demo_mode'],
  async handle({ uid }, { actor, accounts, db, now }) {
    if (uid !== actor.uid && actor.role !== 'admin') fail('not_allowed', 'uid')
    const [settings, usertype] = await Promise.all([
      readSettings(db),
      db.read<string>(`${dbPaths.user(uid)}/usertype`),
    ])
    // Many people share an account of a demo.
    if (!settings.AllowCriticalEditsAdmin) fail('demo_mode')
    if (usertype === null) fail('not_found', 'uid')
    const sessionsEnd = toWholeSecond(now)
    // First, because it refuses tokens that are still valid. A repeat does both again.
    await db.update({ [`${dbPaths.user(uid)}/sessionsEnd`]: sessionsEnd })
    await accounts.endSessions(uid)
    return { uid, sessionsEnd }
  },
})
