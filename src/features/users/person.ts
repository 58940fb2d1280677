import * as v from 'valibot'
import type { DEMO_HIDDEN_FIELDS } from '~/domain/access/permissions'
import { useContactsHidden } from '~/src/store/demoMode'
import { createLiveSlice, useLive } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { TABLE_FIELDS, liveUser } from './users'
import { USER_TYPES } from '~/domain/access/types'
import type { User } from '~/domain/accounts/types'

/** The fields of one person that the office shows in demo mode. */
const DEMO_PERSON_FIELDS = [
  ...TABLE_FIELDS,
  'carType',
  'fleetadmin',
  'vehicleMake',
  'vehicleModel',
  'vehicleNumber',
  'other_info',
  'bankName',
  'bankCode',
  'bankAccount',
  'profile_image',
  'licenseImage',
  'queue',
  'createdAt',
  'walletHistory',
] as const satisfies Exclude<keyof User, (typeof DEMO_HIDDEN_FIELDS)[number]>[]
const userFields = createLiveSlice('userfields', 'people', {
  toQuery: (uid: string) =>
    uid ? { path: 'users', records: { keys: [uid], fields: DEMO_PERSON_FIELDS } } : null,
  schema: createRowSchema<User>({ usertype: v.picklist(USER_TYPES) }),
})

/** Returns one person for the office, in demo mode without their contacts. */
export const usePerson = (uid: string) => {
  const isDemo = useContactsHidden()
  const { user: whole, ...record } = useLive(liveUser, isDemo === false ? uid : '')
  const { people, ...fields } = useLive(userFields, isDemo ? uid : '')
  if (isDemo) return { ...fields, user: people[0] ?? null }
  return { ...record, user: whole, loading: record.loading || (isDemo === undefined && uid !== '') }
}
