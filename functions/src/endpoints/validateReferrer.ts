import { validateReferrer } from '~/domain/api'
import { forAnyone } from '../definition'
import { referrerOf } from '../profiles'

/** Tells whether a referral id is somebody's. */
export const validate_referrer = forAnyone({
  name: 'validate_referrer',
  summary: "Whether a referral id is somebody's; not whose.",
  input: validateReferrer,
  allow: ['anyone'],
  limit: 60,
  answers: '{valid}',
  refuses: [],
  handle: async ({ referralId }, { db }) => ({
    valid: (await referrerOf(db, referralId)) !== null,
  }),
})
