import { dbPaths } from '~/domain/data/databasePaths'
import { toFieldUpdates, toRecord } from '~/src/store/live/records'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { VehicleType } from '~/domain/catalog/types'

/**
 * Adds, updates or deletes a vehicle type. `Update` writes only the given fields, so that
 * concurrent changes stay.
 */
export const editVehicleType = createServiceThunk<
  | { method: 'Add' | 'Delete'; carType: Omit<VehicleType, 'id'> & { id?: string } }
  | { method: 'Update'; carType: Partial<VehicleType> & { id: string } }
>('cartypes/editCarType', async ({ carType, method }, { database }) => {
  const { id = await database.newKey(), ...fields } = carType
  await database.update(
    method === 'Update'
      ? toFieldUpdates(dbPaths.carType(id), fields)
      : { [dbPaths.carType(id)]: method === 'Delete' ? null : toRecord(fields) },
  )
})
