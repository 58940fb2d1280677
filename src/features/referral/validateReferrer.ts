import { createServiceThunk } from '~/src/store/serviceThunk'

/** Returns true when a referral code exists. */
export const validateReferrer = createServiceThunk<{ referralId: string }, boolean>(
  'referral/validateReferrer',
  async ({ referralId }, { functions }) =>
    (await functions.post('validate_referrer', { referralId })).valid,
)
