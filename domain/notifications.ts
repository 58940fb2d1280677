import type { PushNotification, User } from './entities'
import { refusal, type Refusal } from './errors'
import { err, ok, type Result } from './result'

type Target = Pick<PushNotification, 'devicetype' | 'usertype'>

/** Whether a notification is for this user: with a push token, of the type and device asked for. */
export const isTarget = (
  user: Pick<User, 'pushToken' | 'usertype' | 'userPlatform'>,
  { devicetype, usertype }: Target,
): boolean =>
  Boolean(user.pushToken) &&
  (usertype === 'All' || user.usertype === usertype) &&
  (devicetype === 'All' || user.userPlatform === devicetype)

/** The users a notification goes to. Refused: no_user_match. */
export const targetsOf = <U extends Pick<User, 'pushToken' | 'usertype' | 'userPlatform'>>(
  users: readonly U[],
  target: Target,
): Result<U[], Refusal> => {
  const found = users.filter((user) => isTarget(user, target))
  return found.length > 0 ? ok(found) : err(refusal('no_user_match'))
}
