import type { CreateBookingInput } from '../api/inputs/bookings'
import { domainError, type DomainError } from '../api/errors'
import type { FareQuote } from '../money/fare'
import { err, ok, type Result } from '../api/result'
import { toStoredRoute, type Route } from './trip/route'
import type { ChoiceOption, Settings, VehicleType } from '../catalog/types'

/** Returns the default choice: the first item for a parcel when the vehicle type has the list. */
const getChoiceIndex = (
  choices: readonly ChoiceOption[] | undefined,
  index: number | undefined,
  appcat: Settings['appcat'],
): number | undefined => index ?? (appcat === 'delivery' && choices?.length ? 0 : undefined)

/** Returns a choice as a booking stores it: without translations, which the vehicle type has. */
const toBookedChoice = (choice: ChoiceOption | undefined): ChoiceOption | undefined =>
  choice && { description: choice.description, amount: choice.amount }

export interface BookedExtras {
  parcelType?: ChoiceOption | undefined
  option?: ChoiceOption | undefined
}

/**
 * Returns the parcel type and option at the requested indexes; bad_input names an index that does
 * not exist. In delivery mode a missing index means the first item, so that omitting it is not
 * cheaper than choosing. A taxi booking without an index carries no parcel.
 */
export const resolveExtras = (
  carType: Pick<VehicleType, 'parcelTypes' | 'options'>,
  input: Pick<CreateBookingInput, 'parcelTypeIndex' | 'optionIndex'>,
  { appcat }: Pick<Settings, 'appcat'>,
): Result<BookedExtras, DomainError> => {
  const parcelTypeIndex = getChoiceIndex(carType.parcelTypes, input.parcelTypeIndex, appcat)
  const optionIndex = getChoiceIndex(carType.options, input.optionIndex, appcat)
  const parcelType =
    parcelTypeIndex === undefined ? undefined : carType.parcelTypes?.[parcelTypeIndex]
  const option = optionIndex === undefined ? undefined : carType.options?.[optionIndex]
  if (parcelTypeIndex !== undefined && !parcelType)
    return err(domainError('bad_input', 'parcelTypeIndex'))
  if (optionIndex !== undefined && !option) return err(domainError('bad_input', 'optionIndex'))
  return ok({ parcelType: toBookedChoice(parcelType), option: toBookedChoice(option) })
}

/** Returns the fields of a booking that follow from its places and their route. */
export const toPlaceFields = (
  { pickup, drop, waypoints = [] }: Pick<CreateBookingInput, 'pickup' | 'drop' | 'waypoints'>,
  route: Route,
) => ({
  pickup,
  drop,
  pickupAddress: pickup.add,
  dropAddress: drop.add,
  coords: [pickup, ...waypoints, drop].map(({ lat, lng }) => ({ lat, lng })),
  waypoints: waypoints.length > 0 ? waypoints : undefined,
  route: toStoredRoute(route),
})

/** Returns the fields of a booking that follow from its price. */
export const toPriceFields = (priced: FareQuote, route: Route) => ({
  estimate: priced.estimateFare,
  trip_cost: priced.estimateFare,
  convenience_fees: priced.convenience_fees,
  driver_share: priced.driver_share,
  estimateDistance: priced.distance,
  distance: priced.distance,
  estimateTime: route.time_in_secs,
})
