import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  getMessagePreferences,
  type MessagePreferences,
} from '~/domain/messages/messagePreferences'
import { fail } from '../../domainException'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'

const MAX_TRIES = 60

/** Returns and changes which optional messages the caller gets. */
export const message_preferences = defineUserEndpoint({
  name: 'message_preferences',
  summary:
    'Returns the optional messages that the caller has turned off. With `key`, an optional message of the caller’s user type such as `receipt-email`, it first turns this message on or off.',
  allow: ALL_USER_TYPES,
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found'],
  async handle({ key, on }, { actor, db }) {
    const path = internalPaths.messagePreferences(actor.uid)
    if (key !== undefined && !getMessagePreferences(actor.role).some((one) => one.key === key))
      fail('bad_input', 'key')
    for (let tries = 1; ; tries++) {
      const preferences = await db.read<MessagePreferences>(path)
      const off = preferences?.off ?? {}
      const isOff = key !== undefined && off[key] === true
      if (key === undefined || isOff === !on) return { off: Object.keys(off) }
      const next = Object.fromEntries(
        [...Object.keys(off).filter((one) => one !== key), ...(on ? [] : [key])].map((one) => [
          one,
          true,
        ]),
      )
      try {
        await db.update({ [path]: { off: next, revision: (preferences?.revision ?? 0) + 1 } })
      } catch (error) {
        // Two devices of the person changed different messages at the same time.
        if (!(error instanceof WriteConflictError) || tries >= MAX_TRIES) throw error
        continue
      }
      // The account may have been deleted since, and its preferences must not outlive it.
      if ((await db.read(`${dbPaths.user(actor.uid)}/usertype`)) === null) {
        await db.update({ [path]: null })
        fail('not_found')
      }
      return { off: Object.keys(next) }
    }
  },
})
