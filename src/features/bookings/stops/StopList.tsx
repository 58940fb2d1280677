import { useTranslation } from 'react-i18next'
import { Address } from '~/src/ui/format/address'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import type { ShownStop } from './shownStops'
import css from './StopList.module.css'

/** Says what happened at a stop and when, or that it is the next one; nothing for later stops. */
export const StopStateText = ({
  stop: { state, at, reason },
  isReasonShown = false,
}: {
  stop: ShownStop
  isReasonShown?: boolean
}) => {
  const { t } = useTranslation()
  if (state === 'ahead') return null
  return (
    <span className={css.state} data-state={state}>
      {t(`stop_state_${state}`)}
      {at !== undefined && (
        <>
          {' · '}
          <DateTime at={at} only="time" />
        </>
      )}
      {isReasonShown && reason && (
        <>
          {' · '}
          <bdi>{reason}</bdi>
        </>
      )}
    </span>
  )
}

/** Lists the stops of a booking with their states; nothing without stops. */
export const StopList = ({
  stops,
  isReasonShown = false,
}: {
  stops: readonly ShownStop[]
  isReasonShown?: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (stops.length === 0) return null
  const total = format.number(stops.length)
  return (
    <ol role="list" aria-label={t('stops')} className={css.stops}>
      {stops.map((stop, index) => (
        <li
          key={index}
          aria-current={stop.state === 'next' || stop.state === 'reached' ? 'step' : undefined}
        >
          <span className={css.number}>
            {t('stop_number', { number: format.number(index + 1), total })}
          </span>
          <span>
            <Address value={stop.add} />
          </span>
          <StopStateText stop={stop} isReasonShown={isReasonShown} />
        </li>
      ))}
    </ol>
  )
}
