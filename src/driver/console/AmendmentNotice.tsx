import { useTranslation } from 'react-i18next'
import { translateAmendedFields } from '~/src/i18n/reasonTexts'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import css from './AmendmentNotice.module.css'
import type { Booking } from '~/domain/booking/types'

/**
 * Says what rider or office have changed since the driver first saw the booking (`since`, ms),
 * newest first.
 */
export const AmendmentNotice = ({ booking, since }: { booking: Booking; since: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const amendments = Object.values(booking.event_log)
    .filter(({ event, at }) => event === 'amend' && at >= since)
    .sort((a, b) => b.revision - a.revision)
  return (
    <div role="status">
      {amendments.map(({ at, ref = '', revision }) => (
        <p key={revision} className={css.notice}>
          <Icon name="warning" size={20} />
          <span>
            {t('amended_notice', {
              time: format.time(at),
              changes: translateAmendedFields(ref, t),
            })}
          </span>
        </p>
      ))}
    </div>
  )
}
