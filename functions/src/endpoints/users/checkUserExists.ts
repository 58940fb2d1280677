import { defineOpenEndpoint } from '../../http/endpointTypes'
import { findUsers } from '../../services/users/userLookup'
import { fail } from '../../domainException'

/**
 * Tells whether a phone number or e-mail belongs to a user, and reveals nothing else about them.
 */
export const check_user_exists = defineOpenEndpoint({
  name: 'check_user_exists',
  summary:
    'Returns one empty object for each user with this email address or phone number, and no other data.',
  allow: ['anyone'],
  limit: 60,
  spends: [],
  errors: [],
  async handle({ email, mobile }, { db }) {
    if (!email && !mobile) fail('bad_input', 'mobile')
    const users = await findUsers(db, { email, mobile })
    return { users: users.map(() => ({})), error: null }
  },
})
