import { defineOpenEndpoint } from '../../http/endpointTypes'
import { fail } from '../../domainException'
import { removeRegistration } from '../../services/users/pendingRegistrations'

/** Removes the pending sign-up for the caller's phone number. */
export const discard_registration = defineOpenEndpoint({
  name: 'discard_registration',
  summary:
    "Removes the sign-up that waits for the caller's phone number, because it was not theirs or they do not want it. Does nothing when there is none.",
  allow: ['signed-in'],
  limit: 30,
  spends: [],
  errors: [],
  async handle(_input, context) {
    const { caller } = context
    if (!caller) return fail('must_login')
    if (caller.phone) await removeRegistration(context, caller.phone)
    return { success: true }
  },
})
