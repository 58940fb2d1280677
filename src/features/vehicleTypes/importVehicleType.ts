import { dbPaths } from '~/domain/data/databasePaths'
import { domainError } from '~/domain/api/errors'
import { type ImportedRows, type ImportStatus, planVehicleType } from '~/domain/imports/importRows'
import { toFieldUpdates, toRecord } from '~/src/store/live/records'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { VehicleType } from '~/domain/catalog/types'

/**
 * Adds or changes the vehicle type of a row, and returns which of both it did. The stored types
 * decide, because the list that the page shows may be older. Rejects with `changed_meanwhile` when
 * someone renamed or deleted the type since the list was read.
 */
export const importVehicleType = createServiceThunk<
  {
    row: ImportedRows['vehicleTypes']
    types: readonly VehicleType[]
    /** When a new one counts as created, in milliseconds. */
    createdAt: number
  },
  ImportStatus
>('cartypes/importCarType', async ({ row, types, createdAt }, { database }) => {
  const planned = planVehicleType(row, types)
  const path = dbPaths.carType(planned.id)
  const stored = (await database.read({ path })) as VehicleType | null
  const others = types.filter(({ id }) => id !== planned.id)
  const current = stored ? [{ ...stored, id: planned.id }, ...others] : others
  const plan = planVehicleType(row, current)
  if (plan.id !== planned.id) throw domainError('changed_meanwhile', 'name')
  if (plan.status === 'added') await database.update({ [path]: toRecord({ ...row, createdAt }) })
  if (plan.status === 'changed') await database.update(toFieldUpdates(path, plan.changes))
  return plan.status
})
