import {
  afterWrite,
  all,
  isAmong,
  any,
  isQueryLimitedTo,
  isQueryOfOwnRows,
  beforeWrite,
  collectionRule,
  hasParts,
  keyRule,
  isMatching,
  makeOptional,
  recordRule,
  textRule,
  timestampRule,
  valueRule,
  type FieldsOf,
  type Rule,
} from '../ruleBuilders'
import { isAdmin, isMember, hasRole, isSelf, isServer } from '../requester'
import { latLngFields } from './users'
import type { AvailableDriver, BusyDriver, NearbyCar } from '~/domain/dispatch/types'

const getUserField = (field: string) => `${afterWrite(2, `users/$driver/${field}`)}.val()`
const anyNumber = valueRule('newData.isNumber()')
const getEntryField = (field: string) => `newData.child('${field}').val()`

const newCarKey = afterWrite(2, 'users/$driver/shift')

// Available drivers list themselves in the same write as their record, for the back office and
// dispatch.
export const availableDrivers: Rule = collectionRule(
  '$driver',
  recordRule(
    {
      ...latLngFields,
      carType: keyRule,
      geohash: textRule(4, 12, isMatching('^[0-9bcdefghjkmnpqrstuvwxyz]+$')),
      at: timestampRule(),
      fleetadmin: makeOptional(keyRule),
    } satisfies FieldsOf<AvailableDriver>,
    {
      read: any(all(isSelf('$driver'), isMember), isAdmin),
      create: isOwnAvailability(),
      update: isOwnAvailability(),
      // A driver leaves both lists in the same write.
      remove: all(`!${newCarKey}.exists()`, any(isServer, all(isSelf('$driver'), isMember))),
    },
  ),
  {
    read: any(
      isQueryOfOwnRows('fleetadmin', hasRole('fleetadmin')),
      all(isAdmin, isQueryLimitedTo(1000)),
    ),
    indexOn: ['geohash', 'carType', 'fleetadmin'],
  },
)

const SHARED_FIELDS = [
  'lat',
  'lng',
  'carType',
  'geohash',
  'at',
] as const satisfies (keyof NearbyCar)[]

// Available cars for riders, one map cell at a time, under keys that riders cannot query.
export const nearbyCars: Rule = collectionRule(
  '$shift',
  {
    write: `newData.exists() ? ${all(
      hasRole('driver'),
      `${afterWrite(2, 'users/{auth.uid}/shift')}.val() === $shift`,
      hasParts(SHARED_FIELDS),
    )} : ${any(
      isServer,
      all(hasRole('driver'), `${beforeWrite('users/{auth.uid}/shift')}.val() === $shift`),
    )}`,
    children: {
      $field: {
        // The value must equal that in the driver's availability entry, whose rules verify it.
        validate: all(
          isAmong(SHARED_FIELDS, '$field'),
          `newData.val() === ${afterWrite(3, 'available_drivers/{auth.uid}/$field')}.val()`,
        ),
      },
    },
  },
  {
    read: all(
      isMember,
      `query.orderByChild === 'geohash'`,
      // One cell of at most 160 km per side, as geohashRanges requests it.
      `(query.startAt + '').length >= 3`,
      `query.endAt === query.startAt + '~'`,
      isQueryLimitedTo(200),
    ),
    indexOn: ['geohash'],
  },
)

// Drivers on a trip, for the back office's map. The write that makes a driver busy or free also
// updates this entry.
export const busyDrivers: Rule = collectionRule(
  '$driver',
  recordRule(
    {
      booking: keyRule,
      carType: keyRule,
      name: textRule(0, 300),
      fleetadmin: makeOptional(keyRule),
      ends_at: makeOptional(anyNumber),
      lat: makeOptional(anyNumber),
      lng: makeOptional(anyNumber),
    } satisfies FieldsOf<BusyDriver>,
    { create: isServer, update: isServer, remove: isServer },
  ),
  {
    read: any(
      all(isAdmin, isQueryLimitedTo(1000)),
      isQueryOfOwnRows('fleetadmin', hasRole('fleetadmin')),
    ),
    indexOn: ['fleetadmin', 'ends_at'],
  },
)

function isOwnAvailability() {
  return all(
    isSelf('$driver'),
    hasRole('driver'),
    `${beforeWrite('users/$driver/queue')}.val() !== true`,
    `${getUserField('queue')} !== true`,
    `${getUserField('driverActiveStatus')} === true`,
    `${getEntryField('carType')} === ${getUserField('carType')}`,
    `${getEntryField('lat')} === ${getUserField('location/lat')}`,
    `${getEntryField('lng')} === ${getUserField('location/lng')}`,
    any(
      `!newData.child('fleetadmin').exists()`,
      `${getEntryField('fleetadmin')} === ${getUserField('fleetadmin')}`,
    ),
    // Server time, so that an old position cannot pass as a new one.
    `${getEntryField('at')} === now`,
    // The car on the riders' map must move in the same write, so it has the same time.
    any(
      `!${newCarKey}.exists()`,
      `${afterWrite(2, `nearby_cars/{${newCarKey}.val()}/at`)}.val() === now`,
    ),
  )
}
