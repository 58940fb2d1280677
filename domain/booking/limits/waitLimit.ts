import { SETTING_DEFINITIONS } from '../../catalog/settingDefinitions'
import { MINUTE_MS } from '../../language/timeUnits'
import type { Booking } from '../types'
import type { Settings } from '../../catalog/types'
import type { Milliseconds } from '../../language/units'

/** Returns the time after which a customer who waits for a driver is asked whether to go on. */
export const getWaitLimitMs = ({
  waitLimitMinutes,
}: Pick<Settings, 'waitLimitMinutes'>): Milliseconds =>
  (waitLimitMinutes ?? SETTING_DEFINITIONS.waitLimitMinutes.standard) * MINUTE_MS

/** Returns true while a customer is asked whether to go on waiting for a driver. */
export const isWaitQuestionOpen = (
  { status, wait_until }: Pick<Booking, 'status' | 'wait_until'>,
  now: number,
): boolean => status === 'NEW' && wait_until !== undefined && now >= wait_until
