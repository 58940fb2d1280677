import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { translateError } from '~/src/i18n/errorTexts'
import pages from '~/src/office/recordPages/pages.module.css'
import { useServices } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useInvalidFocus } from '~/src/ui/focusFirstInvalid'
import { useUnsavedChangesPrompt } from '~/src/ui/navigation/unsavedChanges'
import { findOtherProblem } from '~/src/widgets/trip/findOtherProblem'
import { TRIP_DETAILS } from '~/domain/booking/tripDetails'
import { isTripField } from '~/src/widgets/trip/TripPlaces'
import { WaitOffer } from '~/src/widgets/trip/WaitOffer'
import { useErrorTexts } from '~/src/widgets/trip/useErrorTexts'
import { useRepeatBooking } from '~/src/widgets/trip/useRepeatBooking'
import type { AnsweredCall } from '../calls/IncomingCalls'
import { useOfficeSession } from '../useOfficeSession'
import css from './AddBookingPage.module.css'
import { BookedDialog } from './BookedDialog'
import { CallerFields } from './CallerFields'
import { EstimatePanel } from './EstimatePanel'
import { TripFields } from './TripFields'
import { TripMap } from './TripMap'
import { useOfficeBooking } from './useOfficeBooking'
import { useOfficeForm } from './useOfficeForm'
import type { CallerTrip } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** The fields of the form beside its places and its vehicle type. */
const FORM_FIELDS = new Set<string>([
  'guest',
  'guest.name',
  'guest.mobile',
  'customer',
  'tripdate',
  ...TRIP_DETAILS,
])

const AddBookingForm = ({
  settings,
  calling,
  onAgain,
}: {
  settings: Settings
  /** The number of the person whose call opened the form. */
  calling: string | null
  onAgain: () => void
}) => {
  const { t } = useTranslation()
  const { database } = useServices()
  const { caller, trip, changePlaces, form, ...filled } = useOfficeForm(settings, calling)
  const { booked, mayConfirm, book } = useOfficeBooking(form, caller)
  const series = useRepeatBooking({
    form,
    customer: caller.rider?.id,
    asksPayment: false,
    addressConfirmation: t('address_confirm_save'),
    onClosed: onAgain,
  })
  const element = useInvalidFocus<HTMLFormElement>(form.refusals)
  const bookButton = useRef<HTMLButtonElement>(null)
  const errorAt = useErrorTexts(form)
  const question = useUnsavedChangesPrompt(filled.isTouched && !booked && !series.isSaved)
  const other = findOtherProblem(
    form,
    (field) => FORM_FIELDS.has(field) || isTripField(field, trip),
  )
  const isBusy = form.isSending || form.isLooking
  const repeatWeekly = () =>
    form.submit('booking', async (ready) => series.open(await database.newKey(), ready))
  const repeatTrip = (repeated: CallerTrip) => {
    filled.repeatTrip(repeated)
    bookButton.current?.focus()
  }
  return (
    <form
      ref={element}
      className={css.split}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isBusy) book()
      }}
    >
      <div className={css.form}>
        <p className={pages.legend}>{t('required_legend')}</p>
        <CallerFields {...{ caller, settings, errorAt }} onRepeat={repeatTrip} />
        <TripFields {...{ form, trip, changePlaces, settings, errorAt }} />
      </div>
      <aside className={css.aside}>
        <TripMap trip={trip} route={form.route} />
        <EstimatePanel form={form}>
          {other && (
            <p className={pages.refused} role="alert">
              {translateError(other, t)}
            </p>
          )}
          <WaitOffer problem={other} isBusy={isBusy} onBook={() => book({ wait: true })} />
          <Button ref={bookButton} variant="primary" size="large" wide type="submit" busy={isBusy}>
            {t(mayConfirm ? 'address_confirm_book' : 'book')}
          </Button>
          {form.draft.later && caller.rider && (
            <Button wide busy={isBusy} onClick={repeatWeekly}>
              {t('repeat_weekly')}
            </Button>
          )}
        </EstimatePanel>
      </aside>
      {question}
      {series.dialogs}
      {booked && <BookedDialog booked={booked} onAgain={onAgain} />}
    </form>
  )
}

/** Renders the page on which an admin books for a rider who is on the phone. */
export const AddBookingPage = () => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const [round, setRound] = useState(0)
  const { state } = useLocation() as { state: AnsweredCall | null }
  // Stays when the address changes, as it does for the link that skips the menu.
  const [call, setCall] = useState(state)
  if (state?.call_id && state.call_id !== call?.call_id) setCall(state)
  const [bookedCall, setBookedCall] = useState<string | null>(null)
  return (
    <div className={pages.page}>
      <h1>{t('menu_add_booking')}</h1>
      {settings ? (
        // Each new booking starts with an empty form, and so does each call.
        <AddBookingForm
          key={`${round} ${call?.call_id}`}
          settings={settings}
          calling={call && call.call_id !== bookedCall ? call.caller : null}
          onAgain={() => {
            setBookedCall(call?.call_id ?? null)
            setRound(round + 1)
          }}
        />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </div>
  )
}
