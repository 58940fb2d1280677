import type { Value } from '~/domain/booking/change'
import { listing } from '~/domain/dispatch'
import type { LatLng, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { operation } from '~/src/store/operation'

type Driver = Pick<User, 'id' | 'carType' | 'fleetadmin' | 'queue'>

/** Where a driver is, and while he is free also his line among the available ones: one write, as the rules demand. */
const placeOf = (driver: Driver, { lat, lng }: LatLng): Record<string, Value> => ({
  [`${at.user(driver.id)}/location`]: { lat, lng },
  ...(driver.queue !== true && {
    [at.available(driver.id)]: {
      ...listing({ ...driver, location: { lat, lng } }, 0),
      // The server's own time: an old place cannot pass for a new one.
      at: { '.sv': 'timestamp' },
    },
  }),
})

/** The driver is on duty from here on, and free ones are listed. */
export const goOnline = operation<{ driver: Driver; place: LatLng; quiet?: boolean }>(
  'gpsdata/goOnline',
  async ({ driver, place }, { database }) => {
    await database.update({
      [`${at.user(driver.id)}/driverActiveStatus`]: true,
      ...placeOf(driver, place),
    })
  },
)

/** Off duty means off the list, in the same write. */
export const goOffline = operation<{ driver: Pick<Driver, 'id'>; quiet?: boolean }>(
  'gpsdata/goOffline',
  async ({ driver }, { database }) => {
    await database.update({
      [`${at.user(driver.id)}/driverActiveStatus`]: false,
      [at.available(driver.id)]: null,
    })
  },
)

/** Tells where the driver on duty is now. */
export const sendPlace = operation<{ driver: Driver; place: LatLng; quiet?: boolean }>(
  'gpsdata/sendPlace',
  ({ driver, place }, { database }) => database.update(placeOf(driver, place)),
)
