import { dbPaths } from '~/domain/databasePaths'
import type { VehicleType } from '~/domain/entities'
import { domainError } from '~/domain/errors'
import { toRecord } from '~/src/store/records'
import { createServiceThunk } from '~/src/store/serviceThunk'

/**
 * Adds a vehicle type of a file. Rejects with `changed_meanwhile` when another type has the id,
 * because someone renamed it since the list was read.
 */
export const importVehicleType = createServiceThunk<VehicleType>(
  'cartypes/importCarType',
  async ({ id, ...fields }, { database }) => {
    const path = dbPaths.carType(id)
    const stored = (await database.read({ path })) as Partial<VehicleType> | null
    if (stored && stored.name !== fields.name) throw domainError('changed_meanwhile', 'name')
    await database.update({ [path]: toRecord(fields) })
  },
)
