import { memo, type DragEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { getAskedDrivers, getWaitLevel, getWaitStart } from '~/domain/dispatch/waitingBookings'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { screenPaths } from '~/src/store/screenPaths'
import { AddressList } from '~/src/ui/format/address'
import { Money, useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { VirtualList, type VirtualListHandle } from '~/src/ui/table/VirtualList'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { useNow } from '~/src/ui/useNow'
import { OfferTimer } from '../bookings/BookingOffers'
import { RouteText } from '../bookings/row/RouteText'
import css from './board.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const ROW_HEIGHT_REM = 4.5
const NARROW_ROW_HEIGHT_REM = 13

const WaitAge = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow()
  const level = getWaitLevel(booking, settings, now)
  const isUrgent = level === 'warn' || level === 'alarm'
  return (
    <span className={css.age} data-level={level}>
      <Icon name={isUrgent ? 'warning' : 'clock'} size={16} />
      {level === 'later'
        ? format.relative(booking.tripdate, now)
        : format.duration((now - getWaitStart(booking)) / 1000)}
      {isUrgent && <span className="visually-hidden">{t(`board_level_${level}`)}</span>}
    </span>
  )
}

/** Renders again only when the booking changes, and not for each movement of a driver. */
const QueueRow = memo(function QueueRow({
  booking,
  number,
  settings,
  askedName,
}: {
  booking: Booking
  /** The number of its pin on the map. */
  number: number
  settings: Settings
  /** The name of the driver who has the latest offer. */
  askedName: string
}) {
  const { t } = useTranslation()
  const getTypeName = useBookedVehicleTypeName()
  const askedDrivers = getAskedDrivers(booking, settings)
  const [last] = askedDrivers
  return (
    <div className={css.queueRow}>
      <WaitAge booking={booking} settings={settings} />
      <RouteText booking={booking} />
      <span className={css.price}>
        <Money amount={booking.trip_cost} />
      </span>
      <div className={css.rowHead}>
        <span className={css.pinNumber} data-number={number} aria-hidden="true" />
        <bdi>{booking.reference}</bdi>
        <bdi className={css.rowType}>{getTypeName(booking)}</bdi>
        {last ? (
          <span className={css.asked} title={askedName}>
            <span className="visually-hidden">{t('board_asked_name', { name: askedName })}</span>{' '}
            <bdi className={css.askedName} aria-hidden="true">
              {askedName}
            </bdi>
            <span className={css.askedTime}>
              {askedDrivers.length > 1 && `+${askedDrivers.length - 1} `}·{' '}
              <OfferTimer expires={last.expires} isShort />
            </span>
          </span>
        ) : (
          <span className={css.rowEnd}>{t('board_not_asked')}</span>
        )}
      </div>
    </div>
  )
})

interface Props {
  waiting: readonly Booking[]
  /** Number of waiting bookings of the platform, which may be more than are listed. */
  total: number
  loading: boolean
  settings: Settings
  selected: string | null
  onSelect: (id: string) => void
  onEnter: (id: string) => void
  onEscape: () => void
  getDriverName: (id: string) => string
  getDragProps: (id: string) => {
    draggable?: boolean
    onDragStart?: (event: DragEvent) => void
    onDragOver?: (event: DragEvent) => void
    onDrop?: (event: DragEvent) => void
  }
  ref: Ref<VirtualListHandle>
}

/** Lists the bookings that wait for a driver, the longest waiting first. */
export const WaitingQueue = ({
  waiting,
  total,
  loading,
  settings,
  selected,
  onSelect,
  onEnter,
  onEscape,
  getDriverName,
  getDragProps,
  ref,
}: Props) => {
  const { t } = useTranslation()
  if (loading && waiting.length === 0) return <SkeletonLines lines={4} />
  if (waiting.length === 0) return <EmptyState title={t('unassigned_none')} />
  return (
    <AddressList addresses={waiting.flatMap((b) => [b.pickupAddress, b.dropAddress])}>
      <VirtualList
        ref={ref}
        label={t('unassigned')}
        items={waiting}
        rowHeightRem={ROW_HEIGHT_REM}
        narrowRowHeightRem={NARROW_ROW_HEIGHT_REM}
        selected={selected}
        onSelect={onSelect}
        onEnter={onEnter}
        onEscape={onEscape}
        renderItem={(booking, index) => {
          const [last] = getAskedDrivers(booking, settings)
          const askedName = last ? getDriverName(last.id) : ''
          const row = { booking, settings, askedName }
          return <QueueRow {...row} number={index + 1} />
        }}
        getItemProps={({ id }) => getDragProps(id)}
      />
      {total > waiting.length && (
        <Link className={css.more} to={`${screenPaths.bookings}?status=NEW`}>
          {t('board_more_waiting', { count: total - waiting.length })}
        </Link>
      )}
    </AddressList>
  )
}
