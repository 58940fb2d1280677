import type { DatabaseValue } from '~/domain/data/databaseValue'
import {
  isCarKeyExpired,
  buildAvailabilityUpdates,
  buildUnavailabilityUpdates,
} from '~/domain/dispatch/dispatch'
import { dbPaths } from '~/domain/data/databasePaths'
import type { DatabasePort } from '~/src/services/services'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { LatLng } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

type Driver = Pick<User, 'id' | 'carType' | 'fleetadmin' | 'queue' | 'shift'>

/**
 * Builds one write, as the rules require: the driver's position and, while they are free, their
 * availability entry.
 */
const buildPositionUpdate = async (
  driver: Driver,
  { lat, lng }: LatLng,
  database: DatabasePort,
): Promise<Record<string, DatabaseValue>> => {
  const { shift } = driver
  const location = { [`${dbPaths.user(driver.id)}/location`]: { lat, lng } }
  if (driver.queue === true) return location
  const key =
    shift === undefined || isCarKeyExpired(shift, Date.now()) ? await database.newKey() : shift
  return { ...location, ...buildAvailabilityUpdates(driver, { lat, lng }, key) }
}

/** Puts the driver on duty, and lists them when they are free. */
export const goOnline = createServiceThunk<{ driver: Driver; position: LatLng }>(
  'gpsdata/goOnline',
  async ({ driver, position }, { database }) => {
    await database.update({
      [`${dbPaths.user(driver.id)}/driverActiveStatus`]: true,
      ...(await buildPositionUpdate(driver, position, database)),
    })
  },
)

/** Takes the driver off duty and off the availability list in one write. */
export const goOffline = createServiceThunk<{
  driver: Pick<Driver, 'id' | 'shift'>
}>('gpsdata/goOffline', async ({ driver }, { database }) => {
  await database.update({
    [`${dbPaths.user(driver.id)}/driverActiveStatus`]: false,
    ...buildUnavailabilityUpdates(driver),
  })
})

/** Publishes the current position of a driver on duty. */
export const publishPosition = createServiceThunk<{
  driver: Driver
  position: LatLng
}>('gpsdata/publishPosition', async ({ driver, position }, { database }) =>
  database.update(await buildPositionUpdate(driver, position, database)),
)
