import { BookingPlayback } from './bookingPlayback'
import { CityHistory, type HistoryInput } from './cityHistory'
import { drawRequest } from './drawnRequest'
import { planBookings, type CitySize } from './historyPlan'

/**
 * Runs a year of bookings through the domain's own transitions, so that all numbers are consistent
 * by construction.
 */
export const createHistory = async (input: HistoryInput, size: CitySize): Promise<void> => {
  const { random, now } = input
  const city = new CityHistory(input)
  const plan = planBookings({ random, now, size, isDelivery: city.isDelivery })
  for (const planned of plan)
    await new BookingPlayback(city, planned, await drawRequest(city, planned)).play()
}
