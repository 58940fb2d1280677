import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookingAnswer } from '~/domain/api'
import type { Route } from '~/domain/booking/change'
import type { CarType } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import type { Quote } from '~/domain/fare'
import { isDeliveryPhone } from '~/domain/people'
import { updateProfile } from '~/src/features/auth/operations'
import { addBooking } from '~/src/features/bookings/bookings'
import { estimateCleared, fetchRoute } from '~/src/features/estimates/estimates'
import { selectProfile, selectSessionKnown } from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { ButtonLink } from '~/src/ui/controls'
import { ConfirmDialog, Dialog } from '~/src/ui/Dialog'
import { Icon } from '~/src/ui/Icon'
import { go } from '~/src/ui/place'
import { type PersonField, missingOf } from '../person'
import css from './BookingForm.module.css'
import { type Points, wrongTime } from './checking'
import type { Draft } from './draft'
import { EstimateDialog } from './EstimateDialog'
import { ExtrasDialog } from './ExtrasDialog'

const fetchPayment = () => import('../bookings/PaymentDialog')
const PaymentDialog = lazy(async () => ({ default: (await fetchPayment()).PaymentDialog }))

/** What follows the button: extras, estimate, login, payment, and that it worked. */
export const BookingSteps = ({
  draft,
  onDraft,
  car,
  points,
  route,
  quote,
  isDelivery,
  tripdate,
  onFinished,
}: {
  draft: Draft
  onDraft: (changes: Partial<Draft>) => void
  car: CarType | null
  points: Points | null
  route: Route | null
  quote: Quote | null
  isDelivery: boolean
  /** ms; null books for now. */
  tripdate: number | null
  /** The booking is made, and paid or put off: the form may be emptied. */
  onFinished: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const services = useServices()
  const profile = useAppSelector(selectProfile)
  const sessionKnown = useAppSelector(selectSessionKnown)
  const [person, setPerson] = useState<Partial<Record<PersonField, string>>>({})
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const [unpaid, setUnpaid] = useState<{ id: string; owed: number } | null>(null)
  const [bookedId, setBookedId] = useState<string | null>(null)

  const finish = ({ booking_id }: BookingAnswer) => {
    setUnpaid(null)
    setBookedId(booking_id)
    onFinished()
  }
  const whyNot = (): Refusal | null => {
    const late = wrongTime(draft.later, tripdate)
    if (late) return late
    if (isDelivery && !isDeliveryPhone(draft.deliveryPersonPhone))
      return refusal('deliveryDetailMissing', 'deliveryPersonPhone')
    if (profile && profile.usertype !== 'rider') return refusal('user_issue_contact_admin')
    if (profile && !profile.mobile) return refusal('phone_no_update')
    const blank = missingOf(profile).find((field) => !person[field]?.trim())
    if (blank) return refusal('profile_incomplete', blank)
    return null
  }
  const book = async () => {
    const no = whyNot()
    setRefused(no)
    if (no || !points || !car || !quote) return
    if (!profile) {
      go(screens.login, { state: { from: screens.home, forBooking: true } })
      return
    }
    setBusy(true)
    // A failed download is tried again when the dialog is opened.
    fetchPayment().catch(() => undefined)
    try {
      const missing = missingOf(profile)
      if (missing.length > 0) {
        const changes = Object.fromEntries(missing.map((field) => [field, person[field]?.trim()]))
        await dispatch(updateProfile({ uid: profile.id, changes, quiet: true })).unwrap()
      }
      const bookingId = draft.bookingId ?? (await services.database.newKey())
      onDraft({ bookingId })
      const answer = await dispatch(
        addBooking({
          booking_id: bookingId,
          ...points,
          carType: car.id,
          bookLater: draft.later,
          ...(tripdate !== null && { tripdate }),
          estimateFare: quote.estimateFare,
          ...(car.parcelTypes?.length && { parcelTypeIndex: draft.parcelTypeIndex }),
          ...(car.options?.length && { optionIndex: draft.optionIndex }),
          ...(isDelivery && {
            deliveryPerson: draft.deliveryPerson,
            deliveryPersonPhone: draft.deliveryPersonPhone,
            pickUpInstructions: draft.pickUpInstructions,
            deliveryInstructions: draft.deliveryInstructions,
          }),
          quiet: true,
        }),
      ).unwrap()
      if (answer.status === 'PAYMENT_PENDING')
        setUnpaid({ id: answer.booking_id, owed: answer.estimate ?? quote.estimateFare })
      else finish(answer)
    } catch (error) {
      const told = error as Refusal
      setRefused(told)
      // The car types are live, so the new price is on the screen as soon as it differs; the route may differ too.
      if (told.key === 'estimate_changed') void dispatch(fetchRoute({ ...points, quiet: true }))
    } finally {
      setBusy(false)
    }
  }

  const lacksPhone = refused?.key === 'phone_no_update'
  const open = bookedId || unpaid || lacksPhone ? null : draft.stage
  return (
    <>
      {open === 'extras' && car && (
        <ExtrasDialog
          car={car}
          value={draft}
          onChange={onDraft}
          onDone={() => onDraft({ stage: 'estimate' })}
          onClose={() => onDraft({ stage: 'form' })}
        />
      )}
      {open === 'estimate' && quote && route && sessionKnown && (
        <EstimateDialog
          quote={quote}
          route={route}
          draft={draft}
          onDraft={(changes) => {
            setRefused(null)
            onDraft(changes)
          }}
          isDelivery={isDelivery}
          profile={profile}
          person={person}
          onPerson={(changes) => {
            setRefused(null)
            setPerson((before) => ({ ...before, ...changes }))
          }}
          refused={refused}
          busy={busy}
          onBook={() => void book()}
          onClose={() => {
            dispatch(estimateCleared())
            setRefused(null)
            onDraft({ stage: 'form' })
          }}
        />
      )}
      {lacksPhone && (
        <ConfirmDialog
          title={t('mobile')}
          confirm={t('profile_title')}
          onClose={() => setRefused(null)}
          onConfirm={() => {
            go(screens.profile)
            return Promise.resolve()
          }}
        >
          <p>{t('phone_no_update')}</p>
        </ConfirmDialog>
      )}
      {unpaid && (
        <Suspense fallback={null}>
          <PaymentDialog
            bookingId={unpaid.id}
            owed={unpaid.owed}
            intro={`${t('payment_intro', { id: unpaid.id })} ${t('payment_30_minutes')}`}
            onPaid={finish}
            onClose={() => {
              onFinished()
              go(screens.booking(unpaid.id))
            }}
          />
        </Suspense>
      )}
      {bookedId && (
        <Dialog
          title={t('success_title')}
          onClose={() => setBookedId(null)}
          actions={
            <ButtonLink look="primary" size="large" wide to={screens.bookings}>
              {t('to_my_bookings')}
            </ButtonLink>
          }
        >
          <p className={css.success}>
            <Icon name="check" size={28} />
            <span>{t('booking_success', { id: bookedId })}</span>
          </p>
          <p>{t('booking_success_text')}</p>
        </Dialog>
      )}
    </>
  )
}
