import type { DriverPartsInput } from '~/domain/api/inputs/office'
import type { DriverPart } from '~/domain/dispatch/matching/missedOffers'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Asks which decisions considered a driver, and how each ended for them. */
export const fetchDriverParts = createServiceThunk<
  DriverPartsInput,
  { rows: DriverPart[]; next: number | null }
>('offers/driverParts', (input, { functions }) => functions.call('driver_parts', input))
