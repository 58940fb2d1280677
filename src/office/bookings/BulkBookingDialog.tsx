import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/api/errors'
import { checkAction } from '~/domain/access/permissions'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { cancelBooking } from '~/src/features/bookings/cancelling'
import { useCancellationReasons } from '~/src/features/cancellationReasons/useCancellationReasons'
import { findNearestDrivers } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { SelectInput } from '~/src/ui/controls'
import { BulkDialog } from '~/src/office/recordPages/BulkDialog'
import { useShortAddress } from '~/src/ui/format/address'
import { useOfficeSession } from '../useOfficeSession'
import { getAllowedActions } from './allowedActions'
import css from './bookings.module.css'
import type { Booking } from '~/domain/booking/types'

/**
 * Maximum number of drivers that get an offer for one booking before we report that no driver is
 * available.
 */
const MAX_DRIVERS_TRIED = 3
/** Refusals after which another driver may be asked. */
const DRIVER_ERRORS = ['driver_busy', 'driver_asked', 'driver_not_available', 'driver_promo_tied']

/** Returns what offers a booking to the nearest driver who has no offer yet. */
const useNearestAssignment = () => {
  const dispatch = useAppDispatch()
  /** Drivers who already got an offer: each gets only one. */
  const [requested] = useState(() => new Set<string>())

  return async (booking: Booking) => {
    const { carTypeId: carType, pickup: place } = booking
    const nearest = await dispatch(
      findNearestDrivers.quiet({ carType, position: place, except: [...requested] }),
    ).unwrap()
    let last: DomainError = domainError('driver_not_available')
    for (const driver of nearest.slice(0, MAX_DRIVERS_TRIED)) {
      try {
        await dispatch(
          advanceBooking.quiet({ booking_id: booking.id, event: 'assign', driver }),
        ).unwrap()
        requested.add(driver)
        return
      } catch (error) {
        last = error as DomainError
        if (!DRIVER_ERRORS.includes(last.key)) throw last
      }
    }
    throw last
  }
}

interface Props {
  kind: 'assign' | 'cancel'
  rows: Booking[]
  onClose: () => void
}

/** Assigns each booking to its nearest driver, or cancels all of them with one reason. */
export const BulkBookingDialog = ({ kind: action, rows, onClose }: Props) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { profile, settings } = useOfficeSession()
  const { reasons } = useCancellationReasons()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const shorten = useShortAddress()
  const assign = useNearestAssignment()
  const cancel = (booking: Booking) => dispatch(cancelBooking.quiet({ booking, reason })).unwrap()
  const act = async (booking: Booking) => {
    const refused = settings && checkAction(`booking_${action}`, profile?.usertype, settings)
    if (refused) throw refused
    if (!getAllowedActions(booking, profile, settings)[action])
      throw domainError('event_not_possible')
    await (action === 'assign' ? assign(booking) : cancel(booking))
  }
  return (
    <BulkDialog
      title={t(action === 'assign' ? 'bulk_assign' : 'bulk_cancel')}
      rows={rows}
      describe={({ reference, pickupAddress }) => ({
        name: reference,
        note: shorten(pickupAddress),
      })}
      act={act}
      doneText={t(action === 'assign' ? 'event_assign' : 'event_cancel')}
      danger={action === 'cancel'}
      isReady={() => {
        setMissing(action === 'cancel' && !reason)
        return action === 'assign' || reason !== ''
      }}
      onClose={onClose}
    >
      {(isAsking) =>
        action === 'assign' ? (
          <p className={css.muted}>{t('bulk_assign_lead')}</p>
        ) : (
          <SelectInput
            label={t('cancel_why')}
            value={reason}
            disabled={!isAsking}
            error={missing && !reason ? t('reason_required') : undefined}
            onChange={({ target }) => setReason(target.value)}
          >
            <option value="" />
            {reasons.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </SelectInput>
        )
      }
    </BulkDialog>
  )
}
