import type { AvailableDriver, BusyDriver } from '~/domain/entities'
import {
  after,
  all,
  any,
  asksAtMost,
  asksOwn,
  before,
  each,
  key,
  matching,
  optional,
  record,
  text,
  time,
  type FieldsOf,
  type Rule,
} from '../language'
import { admin, member, role, self, server } from '../who'
import { latLng } from './users'

const account = (field: string) => `${after(2, `users/$driver/${field}`)}.val()`
const listed = (field: string) => `newData.child('${field}').val()`

// A free driver lists himself, in one write with his own record: what riders see of him is what his account says.
export const availableDrivers: Rule = each(
  '$driver',
  record(
    {
      ...latLng,
      carType: key,
      geohash: text(4, 12, matching('^[0-9bcdefghjkmnpqrstuvwxyz]+$')),
      at: time(),
      fleetadmin: optional(key),
    } satisfies FieldsOf<AvailableDriver>,
    {
      read: any(all(self('$driver'), member), admin),
      create: listing(),
      update: listing(),
      remove: any(server, all(self('$driver'), member), admin),
    },
  ),
  {
    // A circle on the map is a few ranges of geohashes; nobody reads the whole fleet, but a fleet admin his own.
    read: all(
      member,
      any(
        all(asksOwn('fleetadmin'), role('fleetadmin')),
        all(
          `query.orderByChild === 'geohash'`,
          any(all('query.startAt !== null', 'query.endAt !== null'), 'query.equalTo !== null'),
        ),
        asksAtMost(1000),
      ),
    ),
    indexOn: ['geohash', 'carType', 'fleetadmin'],
  },
)

// Who is on a trip, for the office's map: written in the write that makes him busy or free.
export const busyDrivers: Rule = each(
  '$driver',
  record(
    {
      booking: key,
      carType: key,
      name: text(0, 300),
      fleetadmin: optional(key),
    } satisfies FieldsOf<BusyDriver>,
    { read: admin, create: server, update: server, remove: server },
  ),
  {
    read: any(all(admin, asksAtMost(1000)), all(asksOwn('fleetadmin'), role('fleetadmin'))),
    indexOn: ['fleetadmin'],
  },
)

function listing() {
  return all(
    self('$driver'),
    role('driver'),
    `${before('users/$driver/queue')}.val() !== true`,
    `${account('queue')} !== true`,
    `${account('driverActiveStatus')} === true`,
    `${listed('carType')} === ${account('carType')}`,
    `${listed('lat')} === ${account('location/lat')}`,
    `${listed('lng')} === ${account('location/lng')}`,
    any(
      `!newData.child('fleetadmin').exists()`,
      `${listed('fleetadmin')} === ${account('fleetadmin')}`,
    ),
    // The server's own time: an old place cannot pass for a new one.
    `${listed('at')} === now`,
  )
}
