import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { actionRefused } from '~/domain/permissions'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useReasons } from '~/src/features/cancelReasons/useReasons'
import { findNearest } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { SelectInput } from '~/src/ui/controls'
import { BulkDialog } from '~/src/ui/office/BulkDialog'
import { useOffice } from '../useOffice'
import { officeActions } from './actions'
import css from './bookings.module.css'

/** So many drivers are tried for one booking before it is said that nobody is there. */
const TRIES = 3
const TAKEN = ['driver_busy', 'driver_not_available']

/** Assigns each booking to the driver who is nearest to it, or cancels them all for one reason. */
export const BulkBookings = ({
  kind,
  rows,
  onClose,
}: {
  kind: 'assign' | 'cancel'
  rows: Booking[]
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { profile, settings } = useOffice()
  const { reasons } = useReasons()
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  /** Drivers who were asked already: each is asked once. */
  const [asked] = useState(() => new Set<string>())

  const assign = async (booking: Booking) => {
    const { carTypeId: carType, pickup: place } = booking
    const nearest = await dispatch(
      findNearest({ carType, place, except: [...asked], quiet: true }),
    ).unwrap()
    let last: Refusal = refusal('driver_not_available')
    for (const driver of nearest.slice(0, TRIES)) {
      try {
        await dispatch(
          advanceBooking({ booking_id: booking.id, event: 'assign', driver, quiet: true }),
        ).unwrap()
        asked.add(driver)
        return
      } catch (error) {
        last = error as Refusal
        if (!TAKEN.includes(last.key)) throw last
      }
    }
    throw last
  }
  const cancel = (booking: Booking) =>
    dispatch(
      advanceBooking({
        booking_id: booking.id,
        event: 'cancel',
        reason: booking.status === 'PAYMENT_PENDING' ? 'incomplete_booking' : reason,
        quiet: true,
      }),
    ).unwrap()
  const act = async (booking: Booking) => {
    const refused = settings && actionRefused(`booking_${kind}`, profile?.usertype, settings)
    if (refused) throw refused
    if (!officeActions(booking, profile, settings)[kind]) throw refusal('event_not_possible')
    await (kind === 'assign' ? assign(booking) : cancel(booking))
  }
  return (
    <BulkDialog
      title={t(kind === 'assign' ? 'bulk_assign' : 'bulk_cancel')}
      rows={rows}
      describe={({ booking_id, pickupAddress }) => ({ name: booking_id, note: pickupAddress })}
      act={act}
      done={t(kind === 'assign' ? 'event_assign' : 'event_cancel')}
      danger={kind === 'cancel'}
      isReady={() => {
        setMissing(kind === 'cancel' && !reason)
        return kind === 'assign' || reason !== ''
      }}
      onClose={onClose}
    >
      {(isAsking) =>
        kind === 'assign' ? (
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
            {reasons.map((label) => (
              <option key={label}>{label}</option>
            ))}
          </SelectInput>
        )
      }
    </BulkDialog>
  )
}
