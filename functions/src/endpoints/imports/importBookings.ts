import { createHash } from 'node:crypto'
import type { ImportResult } from '~/domain/api/outputFields'
import { dbPaths } from '~/domain/data/databasePaths'
import { toJson } from '~/domain/data/databaseValue'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import type { ImportBookingsInput } from '~/domain/api/inputs/imports'
import { createAuditKey } from '~/domain/data/pushKeys'
import { cleanWords } from '~/domain/language/words'
import { hashWithSalt, type Config } from '../../config'
import { DomainException, fail } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { MapsError, parsePositions, type MapsPort } from '../../ports/mapsPort'
import { MAPS_SECRETS } from '../../deployment'
import { WriteConflictError } from '../../ports/database'
import { generatePushKey } from '../../ports/random'
import { resolveGuest } from '../../services/users/guests'
import { importRows } from './importResults'
import type { UserRequestContext } from '../../ports/requestContext'
import type { UserHandlerContext } from '../../ports/handlerContext'
import type { AuditEntry } from '~/domain/office/types'
import type { Booking } from '~/domain/booking/types'
import type { Place } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

type BookingRow = ImportBookingsInput['rows'][number]
type BookingRequest = Omit<CreateBookingInput, 'booking_id' | 'estimateFare'>

/** Imports later bookings. */
export const import_bookings = defineUserEndpoint({
  name: 'import_bookings',
  summary:
    'Books later trips from rows of a file, each for a guest by name and number, between addresses that the server looks up, at the price of the moment. Returns the outcome of each row. A row with the `key` of an earlier one books nothing more, and is refused with booking_exists when anything else in it differs.',
  allow: ['admin'],
  limit: 240,
  spends: ['maps', 'messages'],
  needsFreshSignIn: false,
  errors: [],
  secrets: MAPS_SECRETS,
  handle: async ({ rows }, context) => {
    const country = await context.db.read<string>(`${dbPaths.settings}/restrictCountry`)
    return importRows(rows, (row) => importBooking(row, country ?? '', context))
  },
})

/**
 * Returns the path of the audit entry that reserves the booking's id for the row. The rules refuse
 * every change of an entry, so two simultaneous imports of a row agree on one id. Its key has no
 * time, so that it does not depend on the import.
 */
const getReservationPath = (key: string): string =>
  dbPaths.audit(createAuditKey(0, createHash('sha256').update(key).digest('base64url'), 0))

/** The booking id that belongs to a row, and the hash of the row that reserved it. */
interface Reservation {
  id: string
  /** Missing in reservations of earlier releases. */
  rowHash?: string
}

/**
 * Returns a hash with the salt: without it, a guest's number could be guessed from the rest of the
 * row.
 */
const hashRow = (row: BookingRow, config: Config): string =>
  hashWithSalt(JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))), config)

const readReservation = async (
  path: string,
  { db }: UserRequestContext,
): Promise<Reservation | null> => {
  const entry = await db.read<AuditEntry & { to?: { rowHash?: string } }>(path)
  if (!entry) return null
  const rowHash = entry.to?.rowHash
  return { id: entry.path.replace(/^bookings\//, ''), ...(rowHash !== undefined && { rowHash }) }
}

/** Returns the id that belongs to the row, and reserves `id` when it has none. */
const reserveId = async (
  path: string,
  id: string,
  row: BookingRow,
  context: UserHandlerContext<'maps' | 'messages'>,
): Promise<string> => {
  const { actor, config, db, now } = context
  const entry = {
    by: actor.uid,
    at: now,
    action: 'booking_import',
    path: dbPaths.booking(id),
    to: { rowHash: hashRow(row, config) },
  }
  try {
    await db.update({ [path]: toJson(entry satisfies AuditEntry) })
    return id
  } catch (error) {
    const reserved = await readReservation(path, context)
    if (!(error instanceof WriteConflictError) || reserved === null) throw error
    return reserved.id
  }
}

/**
 * Returns the outcome of a row whose booking exists; null while it does not. A row that differs
 * from the imported one is refused, so that no correction seems to be made. Changes that the office
 * has made to the booking since then do not count.
 */
const findImported = async (
  { id, rowHash }: Reservation,
  row: BookingRow,
  { config, db }: UserRequestContext,
): Promise<ImportResult | null> => {
  const booking = await db.read<Booking>(dbPaths.booking(id))
  if (!booking) return null
  const isSame =
    rowHash === undefined
      ? booking.tripdate === row.tripdate && booking.carTypeId === row.carType
      : rowHash === hashRow(row, config)
  return isSame ? { status: 'unchanged', id } : fail('booking_exists', 'key')
}

/** A cell of addresses, and the number of the stop in a cell that holds several. */
interface AddressCell {
  field: 'pickup' | 'stops' | 'drop'
  stop?: number
}

const failNotFound = ({ field, stop }: AddressCell): never =>
  stop === undefined
    ? fail('import_place_not_found', field)
    : fail('import_stop_not_found', field, { number: stop })

/** Returns the place of an address, or of a position such as -34.9,-56.1. */
const findPlace = async (
  maps: MapsPort,
  address: string,
  country: string,
  cell: AddressCell,
): Promise<Place> => {
  try {
    const position = parsePositions(address)?.[0]
    if (position)
      return { ...position, add: cleanWords((await maps.getAddress(position)) ?? address, 'name') }
    const options = { limit: 1, ...(country && { country }) }
    const [match] = await maps.autocomplete(address, options)
    const coords = match && (match.coords ?? (await maps.getCoords(match.place_id)))
    if (!coords) return failNotFound(cell)
    return { lat: coords.lat, lng: coords.lng, add: cleanWords(match.description, 'name') }
  } catch (error) {
    if (error instanceof MapsError) return fail('google_places_error', cell.field)
    throw error
  }
}

/** Returns the fields that a row and a request have in common. */
const toDetails = ({
  key: _k,
  name: _n,
  mobile: _m,
  pickup: _p,
  stops: _s,
  drop: _d,
  ...rest
}: BookingRow) => rest

const toRequest = async (
  row: BookingRow,
  country: string,
  context: UserHandlerContext<'maps' | 'messages'>,
): Promise<{ request: BookingRequest; guest: User | undefined }> => {
  const { name, mobile, pickup, stops = [], drop } = row
  const maps = await context.maps()
  const [from, to, waypoints] = await Promise.all([
    findPlace(maps, pickup, country, { field: 'pickup' }),
    findPlace(maps, drop, country, { field: 'drop' }),
    Promise.all(
      stops.map((address, index) =>
        findPlace(maps, address, country, { field: 'stops', stop: index + 1 }),
      ),
    ),
  ])
  const { customer, guest } = await resolveGuest({ name, mobile }, context)
  const request = { ...toDetails(row), customer, pickup: from, drop: to, bookLater: true }
  return { request: { ...request, ...(waypoints.length > 0 && { waypoints }) }, guest }
}

/** A price that no booking has: the refusal tells the price, before the row's id is reserved. */
const NO_PRICE = -1
/** Maximum number of attempts to agree on a price that changes meanwhile. */
const MAX_PRICE_ATTEMPTS = 3

const importBooking = async (
  row: BookingRow,
  country: string,
  context: UserHandlerContext<'maps' | 'messages'>,
): Promise<ImportResult> => {
  const { actor, bookings, now, random } = context
  const path = getReservationPath(row.key)
  const reserved = await readReservation(path, context)
  const imported = reserved && (await findImported(reserved, row, context))
  if (imported) return imported
  const { request, guest } = await toRequest(row, country, context)
  let id = reserved?.id ?? generatePushKey(now, random)
  let estimateFare = NO_PRICE
  for (let attempt = 0; ; attempt++) {
    const input = { ...request, booking_id: id, estimateFare }
    try {
      const event = { event: 'create', input, ...(guest && { guest }) } as const
      const { estimate } = await bookings.applyEvent(id, event, actor)
      const { pickup, waypoints, drop } = request
      const booking = {
        pickup: pickup.add,
        ...(waypoints && { stops: waypoints.map(({ add }) => add) }),
        drop: drop.add,
        estimate,
      }
      return { status: 'added', id, booking }
    } catch (error) {
      if (!(error instanceof DomainException)) throw error
      const price = error.error.key === 'estimate_changed' && error.error.params?.estimate
      if (typeof price !== 'number' || attempt >= MAX_PRICE_ATTEMPTS) {
        // Another import of the same row may have booked it since.
        const other = await readReservation(path, context)
        const booked = other && (await findImported(other, row, context))
        if (booked) return booked
        throw error
      }
      // The row can be booked at this price, so its id is reserved now and not for a refused row.
      estimateFare = price
      id = await reserveId(path, id, row, context)
    }
  }
}
