import { type Ref, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { isTyping } from '~/src/ui/navigation/isTyping'
import { useDocumentKeys } from '~/src/ui/navigation/useDocumentKeys'
import { type Pane, SplitPanes } from './SplitPanes'
import type { VirtualListHandle } from '~/src/ui/table/VirtualList'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { getAllowedActions } from '../bookings/allowedActions'
import { BookingDialogs } from '../bookings/BookingDialogs'
import { useMuted } from '../officeSound'
import { useOfficeSession } from '../useOfficeSession'
import css from './board.module.css'
import { isCandidate } from './boardDrivers'
import { BoardMap } from './BoardMap'
import { BookingCard } from './BookingCard'
import { getDragProps } from './drag'
import { DriverFilters } from './DriverFilters'
import { DriverMessageButton } from './DriverMessageButton'
import { DriverList } from './DriverList'
import { type BoardState, useBoard } from './useBoard'
import { WaitingQueue } from './WaitingQueue'
import { WaitMonitor } from './WaitMonitor'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

interface PaneProps {
  board: BoardState
  profile: User
  settings: Settings
}
interface ListRef {
  ref: Ref<VirtualListHandle>
}

const useMuteKey = () => {
  const [, toggleMuted] = useMuted()
  useDocumentKeys((event) => {
    if (event.key.toLowerCase() !== 'm' || event.ctrlKey || event.metaKey || event.altKey) return
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return
    toggleMuted()
  })
}

/** Turns the sound of the office on and off. */
const SoundButton = () => {
  const { t } = useTranslation()
  const [isMuted, toggleMuted] = useMuted()
  return (
    <IconButton
      label={t('board_sound')}
      aria-pressed={!isMuted}
      aria-keyshortcuts="m"
      onClick={toggleMuted}
    >
      <Icon name={isMuted ? 'mute' : 'sound'} size={18} />
    </IconButton>
  )
}

/** Shows the waiting bookings and the card of the chosen one. */
const QueuePane = ({ board, profile, settings, ref }: PaneProps & ListRef) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { queue, drivers, booking, bookingId, setBookingId, offer } = board
  const { waiting, total, loading, error, retry } = queue
  return (
    <div className={css.queuePane}>
      <div className={css.paneHead}>
        <h2>
          {t('unassigned')} <span className={css.count}>{format.number(waiting.length)}</span>
        </h2>
        <SoundButton />
      </div>
      <WaitMonitor waiting={waiting} settings={settings} />
      {error.flag ? (
        <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
      ) : (
        <WaitingQueue
          ref={ref}
          waiting={waiting}
          total={total}
          loading={loading}
          settings={settings}
          selected={bookingId}
          onSelect={setBookingId}
          onEnter={board.goToDrivers}
          onEscape={() => setBookingId(null)}
          getDriverName={(id) => drivers.find((driver) => driver.id === id)?.name || id}
          getDragProps={(id) =>
            getDragProps('booking', id, true, (driver) => void offer(driver, id))
          }
        />
      )}
      {booking && bookingId && (
        <BookingCard
          key={booking.id}
          booking={booking}
          profile={profile}
          settings={settings}
          onClose={board.closeBooking}
        />
      )}
    </div>
  )
}

/** Offers the button that assigns the chosen booking to the chosen driver. */
const AssignBar = ({ board, profile, settings }: PaneProps) => {
  const { t } = useTranslation()
  const { unassignedBooking, offer } = board
  const driver = board.drivers.find(({ id }) => id === board.driverId)
  if (!unassignedBooking || !driver || !isCandidate(driver, unassignedBooking)) return null
  if (!getAllowedActions(unassignedBooking, profile, settings).assign) return null
  return (
    <div className={css.assignBar}>
      <Button variant="primary" wide onClick={() => void offer(driver.id, unassignedBooking.id)}>
        {t('assign_to', { name: driver.name || driver.id })}
      </Button>
    </div>
  )
}

/** Shows the drivers who match the filters. */
const DriversPane = ({ board, profile, settings, ref }: PaneProps & ListRef) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { cars } = useLive(liveVehicleTypes)
  const isAdmin = profile.usertype === 'admin'
  const { drivers, onDuty, filter, bookingId, offer } = board
  const { listedDrivers } = filter
  const count = format.number(drivers.length)
  return (
    <div className={css.driversPane}>
      <div className={css.paneHead}>
        <h2>
          {t('live_drivers')}{' '}
          <span className={css.count}>
            {listedDrivers.length === drivers.length
              ? count
              : `${format.number(listedDrivers.length)} / ${count}`}
          </span>
        </h2>
        <DriverMessageButton driver={drivers.find(({ id }) => id === board.driverId)} />
      </div>
      <DriverFilters
        filter={filter.filter}
        onChange={filter.changeFilter}
        isInZone={filter.isInZone}
        onZone={filter.setInZone}
        isAdmin={isAdmin}
      />
      {onDuty.loading && drivers.length === 0 ? (
        <SkeletonLines lines={6} />
      ) : (
        <DriverList
          ref={ref}
          drivers={listedDrivers}
          cars={cars}
          seenStates={onDuty.seen}
          booking={board.unassignedBooking}
          pickupTimes={board.pickupTimes}
          selected={board.driverId}
          onSelect={board.setDriverId}
          onEnter={(id) => bookingId && void offer(id, bookingId)}
          onEscape={board.goToQueue}
          getDragProps={(id) =>
            getDragProps('driver', id, isAdmin, (dropped) => void offer(id, dropped))
          }
        />
      )}
      <AssignBar {...{ board, profile, settings }} />
    </div>
  )
}

const MapPane = ({ board, settings }: Pick<PaneProps, 'board' | 'settings'>) => {
  const { queue, filter, booking, driverId } = board
  return (
    <BoardMap
      drivers={filter.onMap}
      waiting={queue.waiting}
      settings={settings}
      booking={booking}
      selectedDriver={driverId}
      onDriver={board.setDriverId}
      onBooking={board.setBookingId}
      onBounds={filter.setBounds}
    />
  )
}

const Board = ({ profile, settings }: Omit<PaneProps, 'board'>) => {
  const { t } = useTranslation()
  const isAdmin = profile.usertype === 'admin'
  const queueList = useRef<VirtualListHandle>(null)
  const driverList = useRef<VirtualListHandle>(null)
  const board = useBoard(settings, queueList, driverList)
  useMuteKey()
  const { pane, setPane, onDuty } = board
  const props = { board, profile, settings }
  const queuePane: Pane = {
    id: 'queue',
    label: t('unassigned'),
    content: <QueuePane ref={queueList} {...props} />,
  }
  const mapPane: Pane = {
    id: 'map',
    label: t('board_map'),
    content: <MapPane board={board} settings={settings} />,
  }
  const driversPane: Pane = {
    id: 'drivers',
    label: t('live_drivers'),
    content: <DriversPane ref={driverList} {...props} />,
  }
  return (
    <div className={css.board} data-fills-screen>
      <h1 className="visually-hidden">{t('menu_board')}</h1>
      {onDuty.subscriptions}
      <SplitPanes
        label={t('menu_board')}
        panes={isAdmin ? [queuePane, mapPane, driversPane] : [mapPane, driversPane]}
        initialShares={isAdmin ? [30, 42, 28] : [68, 32]}
        storageKey={`kerbside.board-panes.${profile.id}`}
        separatorLabel={({ label }) => t('board_resize', { pane: label })}
        shownPaneId={isAdmin || pane !== 'queue' ? pane : 'map'}
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
