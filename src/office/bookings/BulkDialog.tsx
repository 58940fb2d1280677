import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { cancelReasons } from '~/src/features/cancelReasons/cancelReasons'
import { findNearest } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, SelectInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Icon } from '~/src/ui/Icon'
import { useOffice } from '../useOffice'
import { officeActions } from './actions'
import css from './bookings.module.css'

/** So many drivers are tried for one booking before it is said that nobody is there. */
const TRIES = 3
const TAKEN = ['driver_busy', 'driver_not_available']

/** Does one thing to many bookings, one after the other, and says of each what became of it. */
export const BulkDialog = ({
  kind,
  bookings,
  onClose,
}: {
  kind: 'assign' | 'cancel'
  bookings: Booking[]
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { profile, settings } = useOffice()
  const { complex } = useLive(cancelReasons)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const [state, setState] = useState<'asking' | 'running' | 'done'>('asking')
  const [results, setResults] = useState<Record<string, Refusal | 'done'>>({})

  const assign = async (booking: Booking, asked: string[]) => {
    const { carTypeId: carType, pickup: place } = booking
    const nearest = await dispatch(
      findNearest({ carType, place, except: asked, quiet: true }),
    ).unwrap()
    let last: Refusal = refusal('driver_not_available')
    for (const driver of nearest.slice(0, TRIES)) {
      try {
        await dispatch(
          advanceBooking({ booking_id: booking.id, event: 'assign', driver, quiet: true }),
        ).unwrap()
        asked.push(driver)
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
  const run = async () => {
    if (kind === 'cancel' && !reason) {
      setMissing(true)
      return
    }
    setState('running')
    const asked: string[] = []
    for (const booking of bookings) {
      let result: Refusal | 'done' = 'done'
      try {
        if (!officeActions(booking, profile, settings)[kind]) throw refusal('event_not_possible')
        await (kind === 'assign' ? assign(booking, asked) : cancel(booking))
      } catch (error) {
        result = error as Refusal
      }
      setResults((before) => ({ ...before, [booking.id]: result }))
    }
    setState('done')
  }
  const outcome = (booking: Booking) => {
    const result = results[booking.id]
    if (!result) return <span className={css.muted}>{state === 'running' ? t('loading') : ''}</span>
    if (result === 'done')
      return (
        <span>
          <Icon name="check" size={18} />
          {t(kind === 'assign' ? 'event_assign' : 'event_cancel')}
        </span>
      )
    return (
      <span className={css.refused}>
        <Icon name="warning" size={18} />
        {t(result.key, result.params ?? {})}
      </span>
    )
  }
  return (
    <Dialog
      title={t(kind === 'assign' ? 'bulk_assign' : 'bulk_cancel')}
      {...(state !== 'running' && { onClose })}
      actions={
        state === 'done' ? (
          <Button look="primary" onClick={onClose}>
            {t('done')}
          </Button>
        ) : (
          <Button
            look={kind === 'cancel' ? 'danger' : 'primary'}
            busy={state === 'running'}
            onClick={() => void run()}
          >
            {t(kind === 'assign' ? 'bulk_assign' : 'bulk_cancel')}
          </Button>
        )
      }
    >
      {kind === 'assign' ? (
        <p className={css.muted}>{t('bulk_assign_lead')}</p>
      ) : (
        <SelectInput
          label={t('cancel_why')}
          value={reason}
          disabled={state !== 'asking'}
          error={missing && !reason ? t('reason_required') : undefined}
          onChange={({ target }) => setReason(target.value)}
        >
          <option value="" />
          {complex.map(({ value, label }) => (
            <option key={value}>{label}</option>
          ))}
        </SelectInput>
      )}
      <ul role="list" className={css.results} aria-live="polite">
        {bookings.map((booking) => (
          <li key={booking.id}>
            <div>
              <bdi>{booking.booking_id}</bdi>
              <small>{booking.pickupAddress}</small>
            </div>
            {outcome(booking)}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
