import type { ImportResult } from '~/domain/api/outputFields'
import { IMPORT_BATCH } from '~/domain/api/inputs/imports'
import type { DomainError } from '~/domain/api/errors'
import type { ImportKind } from '~/domain/imports/columns'
import type { ImportedRows, ImportStatus } from '~/domain/imports/importRows'
import { importBookings } from '~/src/features/bookings/importBookings'
import { importPeople } from '~/src/features/users/importPeople'
import { importVehicleType } from '~/src/features/vehicleTypes/importVehicleType'
import { getNow } from '../dates'
import type { AppDispatch } from '~/src/store/storeTypes'
import type { VehicleType } from '~/domain/catalog/types'

/** The trip that was booked for a row, with its addresses as they were found. */
export type BookedTrip = NonNullable<Exclude<ImportResult, { status: 'refused' }>['booking']>

/** The outcome of one row: its status, or the reason for which nothing was written. */
export type RowOutcome =
  { status: ImportStatus; note?: BookedTrip } | { status: 'refused'; error: DomainError }

/** Writes the rows of one kind in batches of a size. Rejects with a DomainError. */
export interface ImportWriter<Row> {
  batchSize: number
  write: (rows: readonly Row[]) => Promise<RowOutcome[]>
}

const toOutcome = (result: ImportResult): RowOutcome =>
  result.status === 'refused'
    ? result
    : { status: result.status, ...(result.booking && { note: result.booking }) }

/** Creates the writer of each kind, which writes through the calls of the forms or in batches. */
export const createImportWriters = (
  dispatch: AppDispatch,
  cars: readonly VehicleType[],
): { [Kind in ImportKind]: ImportWriter<ImportedRows[Kind]> } => {
  const writeType = async (row: ImportedRows['vehicleTypes']): Promise<RowOutcome> => {
    const input = { row, types: cars, createdAt: getNow() }
    return { status: await dispatch(importVehicleType.quiet(input)).unwrap() }
  }
  return {
    riders: {
      batchSize: IMPORT_BATCH.people,
      write: async (rows) => {
        const input = { usertype: 'rider' as const, rows: [...rows] }
        const { results } = await dispatch(importPeople.quiet(input)).unwrap()
        return results.map(toOutcome)
      },
    },
    drivers: {
      batchSize: IMPORT_BATCH.people,
      write: async (rows) => {
        const input = { usertype: 'driver' as const, rows: [...rows] }
        const { results } = await dispatch(importPeople.quiet(input)).unwrap()
        return results.map(toOutcome)
      },
    },
    vehicleTypes: {
      batchSize: 1,
      write: async ([row]) => (row ? [await writeType(row)] : []),
    },
    bookings: {
      batchSize: IMPORT_BATCH.bookings,
      write: async (rows) => {
        const { results } = await dispatch(importBookings.quiet({ rows: [...rows] })).unwrap()
        return results.map(toOutcome)
      },
    },
  }
}
