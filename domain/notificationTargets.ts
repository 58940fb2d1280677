import type { PushNotification, User } from './entities'

type Target = Pick<PushNotification, 'devicetype' | 'usertype'>

/**
 * Returns true when a notification is for this user: they have a push token, and their type and
 * device match.
 */
export const isNotificationTarget = (
  user: Pick<User, 'pushToken' | 'usertype' | 'userPlatform'>,
  { devicetype, usertype }: Target,
): boolean =>
  Boolean(user.pushToken) &&
  (usertype === 'All' || user.usertype === usertype) &&
  (devicetype === 'All' || user.userPlatform === devicetype)
