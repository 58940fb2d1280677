import * as v from 'valibot'
import { DISPATCH_MODES } from '../catalog/types'
import { MAX_BOOKINGS_PER_HOUR, MAX_DRIVERS } from '../replay/modelCity'
import { wholeAmount } from './fieldSchemas'

const countTo = (max: number) =>
  v.pipe(wholeAmount, v.minValue(1, 'field_positive'), v.maxValue(max, 'field_too_large'))

/** The load for which the office tries another dispatch mode, and that mode. */
export const trialForm = v.object({
  bookingsPerHour: countTo(MAX_BOOKINGS_PER_HOUR),
  drivers: countTo(MAX_DRIVERS),
  dispatchMode: v.picklist(DISPATCH_MODES),
  /** Seconds, with `matched`. */
  fairnessWeight: v.pipe(wholeAmount, v.maxValue(3600, 'field_too_large')),
})
