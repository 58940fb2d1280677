import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { createOfficeUser } from '~/domain/accounts/userAccounts'
import { fail } from '../../domainException'
import { findFormerBenefits } from './formerUsers'
import { readSettings } from '../office/settings'
import { chooseReferralId } from './referralIds'
import { claimAccount, findUsers } from './userLookup'
import type { UserRequestContext } from '../../ports/requestContext'
import type { User } from '~/domain/accounts/types'

/**
 * Returns the rider of a caller who gives their name and number on the phone. A number without a
 * profile gets a sign-in account and a new rider, `guest`, for the booking to write. A person who
 * later signs in with that number, proved by a code, has this account and its bookings. Refuses
 * with not_a_rider when the number belongs to a driver or to the office.
 */
export const resolveGuest = async (
  { name, mobile }: NonNullable<CreateBookingInput['guest']>,
  context: UserRequestContext,
): Promise<{ customer: string; guest?: User }> => {
  const { db, now, actor } = context
  const matchingUsers = await findUsers(db, { mobile })
  if (matchingUsers.some(({ usertype }) => usertype !== 'rider')) fail('not_a_rider', 'guest')
  const [existingUser] = matchingUsers
  if (existingUser) return { customer: existingUser.id }
  const uid = await claimAccount(context, mobile, 'guest')
  const [firstName = '', ...others] = name.split(/\s+/)
  const guest = createOfficeUser(
    'rider',
    {
      firstName,
      lastName: others.join(' '),
      mobile,
      email: '',
      ...(await findFormerBenefits(context, { mobile })),
    },
    { uid, now, referralId: await chooseReferralId(context, firstName) },
    { actor: { uid: actor.uid, usertype: 'admin' }, settings: await readSettings(db) },
  )
  return { customer: uid, guest }
}
