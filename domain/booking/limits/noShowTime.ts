import { SETTING_DEFINITIONS } from '../../catalog/settingDefinitions'
import { MINUTE_MS } from '../../language/timeUnits'
import type { Settings } from '../../catalog/types'
import type { Booking } from '../types'

/**
 * Returns when a customer who has not come to the pickup counts as a no-show (ms). Their minutes
 * begin when the server received the arrival and notified them, even if the driver's phone sent it
 * late.
 */
export const getNoShowTime = (
  {
    event_log = {},
    driver_arrive_time = 0,
  }: Pick<Booking, 'driver_arrive_time'> & Partial<Pick<Booking, 'event_log'>>,
  { noShowMinutes = SETTING_DEFINITIONS.noShowMinutes.standard }: Pick<Settings, 'noShowMinutes'>,
): number => {
  const notifiedTimes = Object.values(event_log)
    .filter(({ event }) => event === 'arrive')
    .map(({ at, received_at = at }) => received_at)
  return Math.max(driver_arrive_time, ...notifiedTimes) + noShowMinutes * MINUTE_MS
}
