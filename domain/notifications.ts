import type { PushNotification, User } from './entities'

type Target = Pick<PushNotification, 'devicetype' | 'usertype'>

/** Whether a notification is for this user: with a push token, of the type and device asked for. */
export const isTarget = (
  user: Pick<User, 'pushToken' | 'usertype' | 'userPlatform'>,
  { devicetype, usertype }: Target,
): boolean =>
  Boolean(user.pushToken) &&
  (usertype === 'All' || user.usertype === usertype) &&
  (devicetype === 'All' || user.userPlatform === devicetype)
