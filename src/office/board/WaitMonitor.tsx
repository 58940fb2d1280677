import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { getWaitLevel, type WaitLevel } from '~/domain/dispatch/waitingBookings'
import { useTabCount } from '~/src/ui/navigation/tabCount'
import { useNow } from '~/src/ui/useNow'
import { playOfficeSound } from '../officeSound'
import css from './board.module.css'
import { getWaitAlert } from './waitAlerts'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/**
 * Says how many bookings wait too long, shows in the title of the tab how many wait, and sounds
 * when one reaches an age of the settings.
 */
export const WaitMonitor = ({
  waiting,
  settings,
}: {
  waiting: readonly Booking[]
  settings: Settings
}) => {
  const { t } = useTranslation()
  const now = useNow()
  const levels = new Map(
    waiting.map((booking) => [booking.id, getWaitLevel(booking, settings, now)]),
  )
  const due = [...levels.values()].filter((level) => level !== 'later')
  useTabCount(due.length)
  const previousLevels = useRef<ReadonlyMap<string, WaitLevel>>(levels)
  useEffect(() => {
    const alert = getWaitAlert(previousLevels.current, levels)
    previousLevels.current = levels
    if (alert) playOfficeSound(alert.level === 'alarm' ? 'warning' : 'chime')
  })
  const late = due.filter((level) => level === 'alarm').length
  return (
    <p role="status" className={css.late}>
      {late > 0 && t('board_late', { count: late })}
    </p>
  )
}
