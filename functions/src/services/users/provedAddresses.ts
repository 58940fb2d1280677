import type { User } from '~/domain/accounts/types'

/**
 * Returns where an account is warned of a change: its number, if it has one, and its
 * e-mail address if it is verified. Another one may be a stranger's.
 */
export const getProvedAddresses = ({
  mobile,
  email,
  emailVerified,
}: Pick<User, 'mobile' | 'email' | 'emailVerified'>): { sms?: string; email?: string } => ({
  ...(mobile && { sms: mobile }),
  ...(emailVerified === true && { email }),
})
