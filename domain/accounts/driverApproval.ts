import type { User } from './types'

/**
 * Fields that the back office checks before it approves a driver. Picture and language need no
 * check.
 */
export const FIELDS_NEEDING_APPROVAL = [
  'firstName',
  'lastName',
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'other_info',
  'licenseImage',
] as const satisfies (keyof User)[]

/** Returns true when the changed fields include one that needs the back office's approval. */
export const isReapprovalNeeded = (
  { usertype, approved }: Pick<User, 'usertype' | 'approved'>,
  changed: readonly string[],
): boolean =>
  usertype === 'driver' &&
  approved &&
  changed.some((field) => (FIELDS_NEEDING_APPROVAL as readonly string[]).includes(field))
