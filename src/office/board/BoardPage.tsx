import { type DragEvent, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { sortByWait } from '~/domain/dispatch/waitingBookings'
import { booking as liveBooking, waitingBookings } from '~/src/features/bookings/bookings'
import { statusCounts } from '~/src/features/earnings/earnings'
import { useDirectory } from '~/src/features/users/directory'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { vehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, Checkbox, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { isTyping } from '~/src/ui/isTyping'
import type { MapBounds } from '~/src/ui/map/mapPort'
import { useDocumentKeys } from '~/src/ui/useDocumentKeys'
import { type Pane, SplitPanes } from './SplitPanes'
import type { VirtualListHandle } from '~/src/ui/table/VirtualList'
import { ErrorState, SkeletonLines } from '~/src/ui/states'
import { getAllowedActions } from '../bookings/allowedActions'
import { BookingDialogs } from '../bookings/BookingDialogs'
import { useMuted } from '../officeSound'
import { useOfficeSession } from '../useOfficeSession'
import css from './board.module.css'
import { type DriverFilter, filterDrivers, isCandidate, sortDrivers } from './boardDrivers'
import { BoardMap } from './BoardMap'
import { BookingCard } from './BookingCard'
import { DriverList } from './DriverList'
import { useAssign } from './useAssign'
import { useBoardDrivers } from './useBoardDrivers'
import { usePickupTimes } from './usePickupTimes'
import { WaitingQueue } from './WaitingQueue'
import { WaitMonitor } from './WaitMonitor'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Maximum number of waiting bookings on the board: each is read whole. */
const MAX_WAITING = 200
/** Maximum number of fleets to choose from. */
const MAX_FLEETS = 200
const ANY_DRIVER: DriverFilter = { text: '', carType: '', fleet: '', zone: null }

/** The types of what is dragged; browsers hide the data itself until it is dropped. */
const DRAGGED = { booking: 'text/x-kerbside-booking', driver: 'text/x-kerbside-driver' } as const

/** Offers all rows or one of them. */
const FilterSelect = <Row extends { id: string }>({
  label,
  all,
  rows,
  getName,
  value,
  onChange,
}: {
  label: string
  /** The text of the choice that filters nothing. */
  all: string
  rows: readonly Row[]
  getName: (row: Row) => string
  /** The id of the chosen row; empty for all. */
  value: string
  onChange: (value: string) => void
}) => (
  <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
    <option value="">{all}</option>
    {rows.map((row) => (
      <option key={row.id} value={row.id}>
        {getName(row)}
      </option>
    ))}
  </select>
)

const DriverFilters = ({
  filter,
  onChange,
  isInZone,
  onZone,
  isAdmin,
}: {
  filter: DriverFilter
  onChange: (changes: Partial<DriverFilter>) => void
  isInZone: boolean
  onZone: (isInZone: boolean) => void
  isAdmin: boolean
}) => {
  const { t } = useTranslation()
  const getTypeName = useVehicleTypeName()
  const { cars } = useLive(vehicleTypes)
  const { listed: fleets } = useDirectory({
    usertype: 'fleetadmin',
    size: isAdmin ? MAX_FLEETS : 0,
  })
  return (
    <div className={css.filters}>
      <input
        type="search"
        aria-label={t('board_filter_text')}
        placeholder={t('board_filter_text')}
        value={filter.text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <FilterSelect
        label={t('car_type')}
        all={t('board_all_types')}
        rows={cars}
        getName={getTypeName}
        value={filter.carType}
        onChange={(carType) => onChange({ carType })}
      />
      {isAdmin && fleets.length > 0 && (
        <FilterSelect
          label={t('board_fleet')}
          all={t('board_all_fleets')}
          rows={fleets}
          getName={formatFullName}
          value={filter.fleet}
          onChange={(fleet) => onChange({ fleet })}
        />
      )}
      <Checkbox
        label={t('board_zone')}
        checked={isInZone}
        onChange={({ target }) => onZone(target.checked)}
      />
    </div>
  )
}

const useMuteKey = (onMute: () => void) =>
  useDocumentKeys((event) => {
    if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    onMute()
  })

const Board = ({ profile, settings }: { profile: User; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const isAdmin = profile.usertype === 'admin'
  const { waiting: unsorted, loading, error, retry } = useLive(waitingBookings, MAX_WAITING)
  const { counts } = useLive(statusCounts)
  const { cars } = useLive(vehicleTypes)
  const waiting = useMemo(() => sortByWait(unsorted), [unsorted])
  const {
    drivers,
    seen,
    loading: isLoadingDrivers,
    subscriptions,
  } = useBoardDrivers(waiting, settings)
  // A link leads to one booking; from then on, the list chooses.
  const [params] = useSearchParams()
  const [bookingId, setBookingId] = useState<string | null>(params.get('open'))
  const [driverId, setDriverId] = useState<string | null>(null)
  const [filter, setFilter] = useState(ANY_DRIVER)
  const [isInZone, setInZone] = useState(false)
  const [bounds, setBounds] = useState<MapBounds | null>(null)
  const [pane, setPane] = useState('queue')
  const [isMuted, toggleMuted] = useMuted()
  useMuteKey(toggleMuted)
  const queueList = useRef<VirtualListHandle>(null)
  const driverList = useRef<VirtualListHandle>(null)
  const assign = useAssign()

  // The card stays open after the booking has left the queue.
  const { booking } = useLive(liveBooking, bookingId ?? '')
  const wanted = booking?.status === 'NEW' ? booking : null
  const matching = useMemo(() => filterDrivers(drivers, filter), [drivers, filter])
  const shown = useMemo(
    () =>
      sortDrivers(
        filterDrivers(matching, { ...ANY_DRIVER, zone: isInZone ? bounds : null }),
        wanted,
      ),
    [matching, isInZone, bounds, wanted],
  )
  const candidates = wanted
    ? shown.flatMap((driver) =>
        driver.at && isCandidate(driver, wanted) ? [{ id: driver.id, at: driver.at }] : [],
      )
    : []
  const pickupTimes = usePickupTimes(wanted?.pickup ?? null, candidates)
  const chosenDriver = drivers.find(({ id }) => id === driverId)
  const mayAssign =
    wanted !== null &&
    chosenDriver !== undefined &&
    isCandidate(chosenDriver, wanted) &&
    getAllowedActions(wanted, profile, settings).assign
  const getDriverName = (id: string) => drivers.find((driver) => driver.id === id)?.name || id

  const offer = async (to: string, of: string) => {
    const driver = drivers.find(({ id }) => id === to)
    const found = waiting.find(({ id }) => id === of)
    if (!driver || !found || !(await assign(found, driver))) return
    setDriverId(null)
    queueList.current?.focus()
  }
  const goToDrivers = () => {
    setPane('drivers')
    setDriverId(candidates[0]?.id ?? shown[0]?.id ?? null)
    driverList.current?.focus()
  }
  const goToQueue = () => {
    setPane('queue')
    queueList.current?.focus()
  }
  const getDragProps = (
    own: keyof typeof DRAGGED,
    id: string,
    onDrop: (dropped: string) => void,
  ) => {
    const other = DRAGGED[own === 'booking' ? 'driver' : 'booking']
    return {
      draggable: isAdmin,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.setData(DRAGGED[own], id)
        event.dataTransfer.effectAllowed = 'link'
      },
      onDragOver: (event: DragEvent) => {
        if (event.dataTransfer.types.includes(other)) event.preventDefault()
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        const dropped = event.dataTransfer.getData(other)
        if (dropped) onDrop(dropped)
      },
    }
  }

  const queuePane: Pane = {
    id: 'queue',
    label: t('unassigned'),
    content: (
      <div className={css.queuePane}>
        <div className={css.paneHead}>
          <h2>
            {t('unassigned')} <span className={css.count}>{format.number(waiting.length)}</span>
          </h2>
          <IconButton
            label={t('board_sound')}
            aria-pressed={!isMuted}
            aria-keyshortcuts="m"
            onClick={toggleMuted}
          >
            <Icon name={isMuted ? 'mute' : 'sound'} size={18} />
          </IconButton>
        </div>
        <WaitMonitor waiting={waiting} settings={settings} />
        {error.flag ? (
          <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
        ) : (
          <WaitingQueue
            ref={queueList}
            waiting={waiting}
            total={waiting.length < MAX_WAITING ? waiting.length : (counts?.NEW ?? 0)}
            loading={loading}
            settings={settings}
            selected={bookingId}
            onSelect={setBookingId}
            onEnter={goToDrivers}
            onEscape={() => setBookingId(null)}
            getDriverName={getDriverName}
            getDragProps={(id) => getDragProps('booking', id, (driver) => void offer(driver, id))}
          />
        )}
        {booking && bookingId && (
          <BookingCard
            key={booking.id}
            booking={booking}
            profile={profile}
            settings={settings}
            onClose={() => {
              setBookingId(null)
              queueList.current?.focus()
            }}
          />
        )}
      </div>
    ),
  }
  const mapPane: Pane = {
    id: 'map',
    label: t('board_map'),
    content: (
      <BoardMap
        drivers={matching}
        cars={cars}
        waiting={waiting}
        booking={booking}
        selectedDriver={driverId}
        onDriver={setDriverId}
        onBooking={setBookingId}
        onBounds={setBounds}
      />
    ),
  }
  const driversPane: Pane = {
    id: 'drivers',
    label: t('live_drivers'),
    content: (
      <div className={css.driversPane}>
        <div className={css.paneHead}>
          <h2>
            {t('live_drivers')}{' '}
            <span className={css.count}>
              {shown.length === drivers.length
                ? format.number(drivers.length)
                : `${format.number(shown.length)} / ${format.number(drivers.length)}`}
            </span>
          </h2>
        </div>
        <DriverFilters
          filter={filter}
          onChange={(changes) => setFilter({ ...filter, ...changes })}
          isInZone={isInZone}
          onZone={setInZone}
          isAdmin={isAdmin}
        />
        {isLoadingDrivers && drivers.length === 0 ? (
          <SkeletonLines lines={6} />
        ) : (
          <DriverList
            ref={driverList}
            drivers={shown}
            cars={cars}
            seen={seen}
            booking={wanted}
            pickupTimes={pickupTimes}
            selected={driverId}
            onSelect={setDriverId}
            onEnter={(id) => bookingId && void offer(id, bookingId)}
            onEscape={goToQueue}
            getDragProps={(id) => getDragProps('driver', id, (dropped) => void offer(id, dropped))}
          />
        )}
        {mayAssign && (
          <div className={css.assignBar}>
            <Button variant="primary" wide onClick={() => void offer(chosenDriver.id, wanted.id)}>
              {t('assign_to', { name: chosenDriver.name || chosenDriver.id })}
            </Button>
          </div>
        )}
      </div>
    ),
  }
  return (
    <div className={css.board} data-fills-screen>
      <h1 className="visually-hidden">{t('menu_board')}</h1>
      {subscriptions}
      <SplitPanes
        label={t('menu_board')}
        panes={isAdmin ? [queuePane, mapPane, driversPane] : [mapPane, driversPane]}
        initialShares={isAdmin ? [30, 42, 28] : [68, 32]}
        storageKey={`kerbside.board-panes.${profile.id}`}
        separatorLabel={({ label }) => t('board_resize', { pane: label })}
        shown={isAdmin || pane !== 'queue' ? pane : 'map'}
        onShow={setPane}
      />
      <BookingDialogs />
    </div>
  )
}

/**
 * Shows the waiting bookings, the map and the drivers side by side, and assigns by mouse or
 * keyboard. Fleet admins see the map and their own drivers.
 */
export const BoardPage = () => {
  const { profile, settings } = useOfficeSession()
  if (!profile || !settings) return <SkeletonLines lines={6} />
  return <Board profile={profile} settings={settings} />
}
