import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import { fail } from '../../domainException'
import { findNamedToken, registerDevice, releaseDevice } from '../../services/messages/pushDevices'

/** Registers or removes a device that receives the caller's push messages. */
export const register_push_token = defineUserEndpoint({
  name: 'register_push_token',
  summary:
    "Registers a device that receives the caller's pushes, at most ten; the one registered longest ago leaves. A token belongs to one account: the previous account loses it in the same write. `replaces` is the token that this device had before. A null `token` removes the device of `replaces`, or the one registered last.",
  allow: ALL_USER_TYPES,
  limit: 30,
  spends: [],
  needsFreshSignIn: false,
  errors: ['changed_meanwhile'],
  async handle({ token, platform, replaces }, { actor: { uid }, db, now }) {
    const removed = replaces ?? (token === null ? await findNamedToken(db, uid) : null)
    if (removed !== null && removed !== token && !(await releaseDevice(db, removed)))
      fail('changed_meanwhile')
    if (token === null) return { registered: false }
    const device = { uid, token, at: now, ...(platform && { platform }) }
    return (await registerDevice(db, device)) ? { registered: true } : fail('changed_meanwhile')
  },
})
