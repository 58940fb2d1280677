import { defineOpenEndpoint } from '../../http/endpointTypes'
import { findReferrer } from '../../services/users/referralIds'

/** Tells whether a referral id belongs to a user. */
export const validate_referrer = defineOpenEndpoint({
  name: 'validate_referrer',
  summary: 'Returns whether a referral id exists, but not whose it is.',
  allow: ['anyone'],
  limit: 60,
  spends: [],
  errors: [],
  handle: async ({ referralId }, { db }) => ({
    valid: (await findReferrer(db, referralId)) !== null,
  }),
})
