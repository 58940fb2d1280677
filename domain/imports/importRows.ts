import type { TripDetail } from '../booking/tripDetails'
import * as v from 'valibot'
import { getDeliveryProblems } from '../booking/bookingProblems'
import { hashText } from '../booking/requestDigest'
import {
  checkPickupTime,
  checkStopCount,
  MAX_ADDRESS_LENGTH,
  MAX_INSTRUCTIONS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  MAX_RECIPIENT_PHONE_LENGTH,
} from '../booking/limits/limits'
import type { DomainError } from '../api/errors'
import { vehicleTypeForm } from '../forms/catalogForms'
import { mobile, optionalText, requiredText } from '../forms/fieldSchemas'
import { driverForm, userForm } from '../forms/userForms'
import { fnv1a } from '../data/fnv1a'
import { err, ok, type Result } from '../api/result'
import { type CellContext, findChoice, findVehicleType, toComparable } from './cells'
import type { ImportKind } from './columns'
import type { ImportFault, RowCheck } from './importTable'
import type { Settings, VehicleType } from '../catalog/types'

const importedRiderForm = v.omit(userForm, ['approved'])
const importedDriverForm = v.omit(driverForm, ['approved', 'licenseImage'])
/** Returns the addresses of a cell such as `First street 1 | Second street 2`. */
const splitStops = (cell: string): string[] =>
  cell
    .split('|')
    .map((address) => address.trim())
    .filter((address) => address !== '')
const detailFields = {
  deliveryPerson: v.optional(optionalText(MAX_RECIPIENT_LENGTH, 'name')),
  deliveryPersonPhone: v.optional(optionalText(MAX_RECIPIENT_PHONE_LENGTH, 'name')),
  pickUpInstructions: v.optional(optionalText(MAX_INSTRUCTIONS_LENGTH)),
  deliveryInstructions: v.optional(optionalText(MAX_INSTRUCTIONS_LENGTH)),
} satisfies Record<TripDetail, unknown>
const importedBookingForm = v.object({
  /** The company's own number of the booking, which makes a repeat of the import recognizable. */
  reference: v.optional(optionalText(100)),
  name: requiredText(100, 'name'),
  mobile,
  pickup: requiredText(MAX_ADDRESS_LENGTH, 'name'),
  drop: requiredText(MAX_ADDRESS_LENGTH, 'name'),
  stops: v.optional(
    v.pipe(v.string(), v.transform(splitStops), v.array(requiredText(MAX_ADDRESS_LENGTH, 'name'))),
  ),
  tripdate: v.number(),
  carType: requiredText(128),
  parcelType: v.optional(v.string()),
  option: v.optional(v.string()),
  ...detailFields,
})

type BookingRow = v.InferOutput<typeof importedBookingForm>
/** A booking of a file: the names of parcel type and option are their indexes. */
export interface ImportedBooking extends Omit<BookingRow, 'parcelType' | 'option' | 'reference'> {
  /** The same for the same row of a file; the own reference when the file has one. */
  key: string
  parcelTypeIndex?: number
  optionIndex?: number
}

export interface ImportedRows {
  riders: v.InferOutput<typeof importedRiderForm>
  drivers: v.InferOutput<typeof importedDriverForm>
  vehicleTypes: v.InferOutput<typeof vehicleTypeForm>
  bookings: ImportedBooking
}

export interface CheckContext extends CellContext {
  settings: Pick<Settings, 'appcat'>
  now: number
}

/** Returns the value, or the message of each field at fault. */
const parseRow = <Value>(
  schema: v.GenericSchema<unknown, Value>,
  row: unknown,
): Result<Value, Record<string, ImportFault>> => {
  const parsed = v.safeParse(schema, row)
  if (parsed.success) return ok(parsed.output)
  const faults: Record<string, ImportFault> = {}
  for (const { path, message } of parsed.issues) {
    const field = path?.[0]?.key
    if (typeof field === 'string') faults[field] ??= { key: message }
  }
  return err(faults)
}

const toFault = ({ key, params }: DomainError): ImportFault => ({ key, ...(params && { params }) })

/** Returns the indexes of the row's parcel type and option in the lists of its vehicle type. */
const resolveChoices = (
  { carType, parcelType, option }: BookingRow,
  { vehicleTypes }: Pick<CellContext, 'vehicleTypes'>,
): Result<
  Pick<ImportedBooking, 'parcelTypeIndex' | 'optionIndex'>,
  Record<string, ImportFault>
> => {
  const type = findVehicleType(carType, vehicleTypes)
  const parcelTypeIndex = parcelType ? findChoice(parcelType, type?.parcelTypes) : undefined
  const optionIndex = option ? findChoice(option, type?.options) : undefined
  const faults = {
    ...(parcelType && parcelTypeIndex === undefined && { parcelType: { key: 'field_choice' } }),
    ...(option && optionIndex === undefined && { option: { key: 'field_choice' } }),
  }
  if (Object.keys(faults).length > 0) return err(faults)
  return ok({
    ...(parcelTypeIndex !== undefined && { parcelTypeIndex }),
    ...(optionIndex !== undefined && { optionIndex }),
  })
}

/** Returns the details of a booking without what its key and its indexes stand for. */
const withoutNames = ({ reference: _r, parcelType: _p, option: _o, ...details }: BookingRow) =>
  details

/** Returns a text that is the same for the same own reference, or else for the same details. */
const toBookingKey = ({ reference, ...details }: BookingRow): string =>
  reference
    ? `ref ${toComparable(reference)}`
    : `row ${hashText(JSON.stringify(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1)))).toString(36)}`

const checkBooking =
  (context: CheckContext): RowCheck<ImportedBooking> =>
  (cells) => {
    const parsed = parseRow(importedBookingForm, cells)
    if (!parsed.ok) return parsed
    const row = parsed.value
    const choices = resolveChoices(row, context)
    const late = checkPickupTime(row.tripdate, context.now)
    const tooMany = checkStopCount(row.stops?.length ?? 0)
    const delivery = getDeliveryProblems(row, {
      actor: { role: 'admin' },
      settings: context.settings,
    })
    const faults: Record<string, ImportFault> = {
      ...(late && { tripdate: toFault(late) }),
      ...(tooMany && { stops: toFault(tooMany) }),
      ...Object.fromEntries(
        Object.entries(delivery).flatMap(([field, problem]) =>
          problem ? [[field, toFault(problem)]] : [],
        ),
      ),
      ...(!choices.ok && choices.error),
    }
    if (!choices.ok || Object.keys(faults).length > 0) return err(faults)
    return ok({ ...withoutNames(row), ...choices.value, key: toBookingKey(row) })
  }

/** Returns the check of the rows of each kind. */
export const createRowChecks = (
  context: CheckContext,
): { [Kind in ImportKind]: RowCheck<ImportedRows[Kind]> } => ({
  riders: (row) => parseRow(importedRiderForm, row),
  drivers: (row) => parseRow(importedDriverForm, row),
  vehicleTypes: (row) => parseRow(vehicleTypeForm, row),
  bookings: checkBooking(context),
})

const getPersonKeys = ({ mobile: number, email }: { mobile: string; email: string }) => ({
  mobile: number,
  email: email.toLowerCase(),
})

/** Returns what no two rows of a file may share, by field. */
export const IMPORT_KEYS: {
  [Kind in ImportKind]: (row: ImportedRows[Kind]) => Record<string, string>
} = {
  riders: getPersonKeys,
  drivers: getPersonKeys,
  vehicleTypes: ({ name }) => ({ name: toComparable(name) }),
  bookings: ({ key }) => ({ [key.startsWith('ref ') ? 'reference' : 'tripdate']: key }),
}

/** The outcome of one row. */
export type ImportStatus = 'added' | 'changed' | 'unchanged'

/** The change that an imported vehicle type makes. */
export interface VehicleTypePlan {
  status: ImportStatus
  id: string
  changes: Partial<ImportedRows['vehicleTypes']>
}

const withoutName = ({ name: _, ...fields }: ImportedRows['vehicleTypes']) => fields

/**
 * Returns the first id that follows from the name of a type and that no other type has: an earlier
 * import may have added one that has another name since.
 */
const chooseTypeId = (name: string, types: readonly VehicleType[]): string => {
  const comparable = toComparable(name)
  const takenIds = new Set(types.map(({ id }) => id))
  for (let attempt = 0; ; attempt++) {
    const text = attempt === 0 ? comparable : `${comparable} ${attempt}`
    const id = `type-${fnv1a(text).toString(36)}${fnv1a(text, 1).toString(36)}`
    if (!takenIds.has(id)) return id
  }
}

/**
 * Returns what an imported vehicle type changes in the list. A type is recognized by its name in
 * any language. The id of a new one follows from its name, so that a repeat adds no second one.
 */
export const planVehicleType = (
  row: ImportedRows['vehicleTypes'],
  types: readonly VehicleType[],
): VehicleTypePlan => {
  const existingType = findVehicleType(row.name, types)
  if (!existingType) return { status: 'added', id: chooseTypeId(row.name, types), changes: row }
  const fields = withoutName(row)
  const changes = Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => value !== undefined && existingType[field as keyof VehicleType] !== value,
    ),
  )
  const status = Object.keys(changes).length > 0 ? 'changed' : 'unchanged'
  return { status, id: existingType.id, changes }
}
