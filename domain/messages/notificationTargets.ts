import type { NamedDevice, User } from '../accounts/types'
import type { PushNotification } from './types'

type Target = Pick<PushNotification, 'devicetype' | 'usertype'>

/**
 * Returns true when a notification is for this user: they have a device, and their type and its
 * platform match.
 */
export const isNotificationTarget = (
  { usertype: own, device }: Pick<User, 'usertype'> & { device: NamedDevice | null },
  { devicetype, usertype }: Target,
): boolean =>
  device !== null &&
  (usertype === 'All' || own === usertype) &&
  (devicetype === 'All' || device.platform === devicetype)
