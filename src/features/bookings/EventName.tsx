import { useTranslation } from 'react-i18next'
import { translateAmendedFields } from '~/src/i18n/reasonTexts'
import { useFormat } from '~/src/ui/format/format'
import type { Booking, EventLogEntry } from '~/domain/booking/types'

/**
 * Names an event of a booking's history: an amendment with the changed fields, an event of a stop
 * with its number, the end of a trip with the stops that the driver did not reach, and cash that is
 * only promised as such.
 */
export const EventName = ({
  entry: { event, status, ref = '' },
  booking: { payment_mode },
}: {
  entry: EventLogEntry
  booking: Pick<Booking, 'payment_mode'>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const number = (index: string) => format.number(Number(index) + 1)
  const name = t(`event_${event}`, { number: number(ref) })
  if (event === 'amend' && ref) return `${name}: ${translateAmendedFields(ref, t)}`
  if (event === 'pay' && status === 'NEW' && payment_mode === 'cash') return t('event_pay_cash')
  if (event !== 'reach' || !ref) return name
  const skipped = ref.split(',').map((index) => t('event_skip_stop', { number: number(index) }))
  return [name, ...skipped].join(' · ')
}
