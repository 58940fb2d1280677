import { memo, type HTMLAttributes, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { liveBooking } from '~/src/features/bookings/bookings'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { isDeepEqual } from '~/src/ui/isDeepEqual'
import { VirtualList, type VirtualListHandle } from '~/src/ui/table/VirtualList'
import { EmptyState } from '~/src/ui/feedback/states'
import { useNow } from '~/src/ui/useNow'
import { PersonName } from '../people/PersonName'
import css from './board.module.css'
import {
  type BoardDriver,
  DRIVER_STATE_TEXTS,
  estimateSeconds,
  isCandidate,
  type SeenState,
} from './boardDrivers'
import type { Booking } from '~/domain/booking/types'
import type { VehicleType } from '~/domain/catalog/types'
import type { Seconds } from '~/domain/language/units'

const ROW_HEIGHT_REM = 4
const NARROW_ROW_HEIGHT_REM = 9
/** Milliseconds between updates of the times, which are shown in minutes. */
const TICK_MS = 10_000

/** Shows what a busy driver does and since when, from their booking. */
const BusyState = ({ booking: id }: { booking: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow(TICK_MS)
  const { booking } = useLive(liveBooking, id)
  const { booking: next } = useLive(liveBooking, booking?.next ?? '')
  if (!booking) return t('driver_is_busy')
  const since = Math.max(...Object.values(booking.event_log).map(({ at }) => at))
  return (
    <>
      {t(`status_${booking.status}`)}
      {Number.isFinite(since) && ` · ${format.duration((now - since) / 1000)}`}
      {next && ` · ${t('board_then', { reference: next.reference })}`}
    </>
  )
}

const IdleState = ({
  state,
  seenState,
}: {
  state: 'free' | 'asked'
  seenState: SeenState | undefined
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const now = useNow(TICK_MS)
  const time = seenState && format.duration((now - seenState.at) / 1000)
  return (
    <>
      {t(DRIVER_STATE_TEXTS[state])}
      {time && ` · ${seenState.isExact ? time : t('board_at_least', { time })}`}
    </>
  )
}

/** Renders again only for another state or place, and not for each movement of another driver. */
const DriverRow = memo(function DriverRow({
  driver,
  typeName,
  seenState,
  booking,
  seconds,
}: {
  driver: BoardDriver
  typeName: string
  seenState: SeenState | undefined
  booking: Booking | null
  /** Seconds by street to the pickup of the chosen booking, when known. */
  seconds: Seconds | undefined
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, state, name, plate, at } = driver
  const hasWay = booking !== null && at !== undefined && isCandidate(driver, booking)
  return (
    <div className={css.driverRow} data-state={state}>
      <div className={css.rowHead}>
        <strong title={name}>{name ? <bdi>{name}</bdi> : <PersonName id={id} />}</strong>
        {plate && <bdi className={css.rowEnd}>{plate}</bdi>}
      </div>
      <div className={css.rowHead}>
        <span className={css.state} title={t(DRIVER_STATE_TEXTS[state])}>
          {state === 'busy' && driver.booking ? (
            <BusyState booking={driver.booking} />
          ) : (
            <IdleState state={state === 'asked' ? 'asked' : 'free'} seenState={seenState} />
          )}
        </span>
        <span className={css.rowEnd}>
          {!hasWay
            ? typeName
            : seconds === undefined
              ? t('board_way_line', {
                  time: format.duration(estimateSeconds(at, booking.pickup)),
                })
              : t('board_way_street', { time: format.duration(seconds) })}
        </span>
      </div>
    </div>
  )
}, isDeepEqual)

/** Lists the drivers on duty with their state; only the rows in view exist and read data. */
export const DriverList = ({
  drivers,
  cars,
  seenStates,
  booking,
  pickupTimes,
  selected,
  onSelect,
  onEnter,
  onEscape,
  getDragProps,
  ref,
}: {
  drivers: readonly BoardDriver[]
  cars: readonly VehicleType[]
  seenStates: ReadonlyMap<string, SeenState>
  /** The booking that waits for one of the drivers. */
  booking: Booking | null
  pickupTimes: ReadonlyMap<string, number>
  selected: string | null
  onSelect: (id: string) => void
  onEnter: (id: string) => void
  onEscape: () => void
  getDragProps: (id: string) => HTMLAttributes<HTMLElement>
  ref: Ref<VirtualListHandle>
}) => {
  const { t } = useTranslation()
  const getTypeName = useVehicleTypeName()
  const names = new Map(cars.map((car) => [car.id, getTypeName(car)]))
  if (drivers.length === 0) return <EmptyState title={t('board_no_drivers')} />
  return (
    <VirtualList
      ref={ref}
      label={t('live_drivers')}
      items={drivers}
      rowHeightRem={ROW_HEIGHT_REM}
      narrowRowHeightRem={NARROW_ROW_HEIGHT_REM}
      selected={selected}
      onSelect={onSelect}
      onEnter={onEnter}
      onEscape={onEscape}
      renderItem={(driver) => (
        <DriverRow
          driver={driver}
          typeName={names.get(driver.carType) ?? ''}
          seenState={seenStates.get(driver.id)}
          booking={booking}
          seconds={pickupTimes.get(driver.id)}
        />
      )}
      getItemProps={({ id }) => getDragProps(id)}
    />
  )
}
