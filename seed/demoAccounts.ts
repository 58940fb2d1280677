/**
 * The accounts of every local Kerbside. Tests and tools rely on them. Their phone numbers are
 * fictional.
 */
export const DEMO_ACCOUNTS = [
  { uid: 'seed-admin', who: 'admin', mobile: '+15555550100' },
  { uid: 'seed-fleetadmin', who: 'fleet admin', mobile: '+15555550101' },
  { uid: 'seed-driver', who: 'driver', mobile: '+15555550102' },
  { uid: 'seed-rider', who: 'rider', mobile: '+15555550103' },
  { uid: 'seed-driver-pending', who: 'driver waiting for approval', mobile: '+15555550104' },
] as const
