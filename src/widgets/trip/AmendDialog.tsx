import { TRIP_DETAILS } from '~/domain/booking/tripDetails'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { getStops, isStopDone } from '~/domain/booking/stops/bookingStops'
import { Button, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useInvalidFocus } from '~/src/ui/focusFirstInvalid'
import { Money, useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'
import css from './AmendDialog.module.css'
import { findOtherProblem } from './findOtherProblem'
import { RecipientFields } from './RecipientFields'
import { isTripField, TripPlaces } from './TripPlaces'
import { type AmendmentOptions, useAmendment } from './useAmendment'
import { useErrorTexts } from './useErrorTexts'
import type { TripEdits } from './useTripEdits'
import { VehicleSelect } from './VehicleSelect'

const FORM_FIELDS = new Set<string>(['tripdate', ...TRIP_DETAILS])

interface Props extends AmendmentOptions {
  /** False where the places are not the user's own. */
  remembersPlaces: boolean
}

/** Shows the price of the booking and, once the server has refused it, the new one. */
const Prices = ({ present, next }: { present: number; next: number | null }) => {
  const { t } = useTranslation()
  return (
    <dl className={css.prices} aria-live="polite">
      <div>
        <dt>{t('amend_price_now')}</dt>
        <dd>
          <Money amount={present} />
        </dd>
      </div>
      {next !== null && (
        <div className={css.next}>
          <dt>{t('amend_price_new')}</dt>
          <dd>
            <Money amount={next} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Renders the fields that a booking in this state can still change. */
const AmendFields = ({
  booking,
  settings,
  remembersPlaces,
  edits,
}: Pick<Props, 'booking' | 'settings' | 'remembersPlaces'> & { edits: TripEdits }) => {
  const { t } = useTranslation()
  const errorAt = useErrorTexts(edits)
  const { draft, change } = edits
  const isStarted = booking.status === 'STARTED'
  const isVehicleOpen = booking.status === 'PAYMENT_PENDING' || booking.status === 'NEW'
  return (
    <>
      <TripPlaces
        places={draft}
        changePlaces={edits.changePlaces}
        near={booking}
        fixedCount={getStops(booking).filter(isStopDone).length}
        hasPickup={!isStarted}
        remembersPlaces={remembersPlaces}
        errorAt={errorAt}
        trackLookup={edits.trackLookup}
      />
      {!isStarted && (
        <TextInput
          type="datetime-local"
          label={t('trip_date')}
          hint={booking.bookLater ? settings.timezone : t('amend_time_hint')}
          value={draft.when}
          error={errorAt('tripdate')}
          onChange={({ target }) => change({ when: target.value })}
        />
      )}
      {isVehicleOpen && (
        <VehicleSelect
          value={draft.carType ?? ''}
          error={errorAt('carType')}
          onChange={(carType) => change({ carType })}
        />
      )}
      {settings.appcat === 'delivery' && !isStarted && (
        <RecipientFields value={draft} errorAt={errorAt} onChange={change} />
      )}
    </>
  )
}

/**
 * Changes a booking. The server computes the price; a different price is shown beside the old one
 * and needs a second confirmation.
 */
export const AmendDialog = (props: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { booking, addressConfirmation, onClose } = props
  const { edits, newPrice, mayConfirm, isBusy, save } = useAmendment(props)
  const form = useInvalidFocus<HTMLFormElement>(edits.refusals)
  const formId = useId()
  const other = findOtherProblem(
    edits,
    (field) => FORM_FIELDS.has(field) || isTripField(field, edits.draft),
  )
  return (
    <Dialog
      title={t('change_booking')}
      onClose={onClose}
      // In the dialog's foot, which stays on the screen: the new price below a long form would be
      // out of sight.
      problem={<Refusal error={other} />}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy}>
            {mayConfirm
              ? addressConfirmation
              : newPrice === null
                ? t('amend_save')
                : t('amend_accept', { price: format.money(newPrice) })}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!isBusy) void save()
        }}
      >
        <AmendFields {...props} edits={edits} />
        <Prices present={booking.trip_cost} next={newPrice} />
      </form>
    </Dialog>
  )
}
