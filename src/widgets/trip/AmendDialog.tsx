import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { getStops, isStopDone } from '~/domain/booking/stops/bookingStops'
import type { BookingProblems } from '~/domain/booking/bookingProblems'
import { type DomainError, domainError } from '~/domain/api/errors'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Button, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import { fromWallClock, Money, toWallClock, useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './AmendDialog.module.css'
import { findOtherProblem } from './findOtherProblem'
import { RECIPIENT_FIELDS, RecipientFields } from './RecipientFields'
import type { RecipientDraft } from './tripDraft'
import { type PlacesDraft, toStopDrafts, toWaypoints, TripPlaces } from './TripPlaces'
import { useFormProblems } from './useFormProblems'
import { useLookups } from './useLookups'
import { useRevision } from './useRevision'
import { VehicleSelect } from './VehicleSelect'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

type Amendment = Omit<Extract<AdvanceBookingInput, { event: 'amend' }>, 'booking_id' | 'event'>
const HIDDEN_FIELDS = ['deliveryPersonPhone', ...INSTRUCTION_FIELDS] as const

/** The details as they are typed; a field that is absent was not touched. */
interface Draft extends Partial<PlacesDraft> {
  /** Local time in the platform's time zone. */
  when?: string
  carType?: string
  details?: Partial<RecipientDraft>
}

/** Returns the request from the typed details. */
const readDraft = (
  { pickup, drop, stops, when, carType, details }: Draft,
  { timezone }: Settings,
): Amendment => {
  const tripdate = when ? (fromWallClock(when, timezone) ?? undefined) : undefined
  return {
    ...(pickup && { pickup }),
    ...(drop && { drop }),
    ...(stops && { waypoints: toWaypoints(stops) }),
    ...(tripdate !== undefined && { tripdate }),
    ...(carType !== undefined && { carType }),
    ...details,
  }
}

/** Returns the problems of places that were emptied; a stop's is under `stop0` with its id. */
const findMissingPlaces = ({ pickup, drop, stops = [] }: Draft): BookingProblems => {
  const fields = [
    ...(pickup === null ? ['pickup'] : []),
    ...(drop === null ? ['drop'] : []),
    ...stops.flatMap(({ id, place }) => (place ? [] : [`stop${id}`])),
  ]
  return Object.fromEntries(fields.map((field) => [field, domainError('select_proper', field)]))
}

const FORM_FIELDS = new Set<string>(['pickup', 'drop', 'tripdate', 'carType', ...RECIPIENT_FIELDS])

/** Returns true when the form shows the problem of a field beside it. */
const isFormField = (field: string, stops: readonly unknown[]): boolean =>
  FORM_FIELDS.has(field) || /^stop\d+$/.test(field) || (field === 'waypoints' && stops.length > 0)

interface AmendmentOptions {
  booking: Booking
  settings: Settings
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string | undefined
  onClose: () => void
}

/** Holds what is typed, and sends it; keeps the typed details when the server refuses them. */
const useAmendment = ({ booking, settings, addressConfirmation, onClose }: AmendmentOptions) => {
  const dispatch = useAppDispatch()
  const [draft, setDraft] = useState<Draft>({})
  const [newPrice, setNewPrice] = useState<number | null>(null)
  /** True when the office may confirm the addresses that the server has refused. */
  const [isConfirmable, setIsConfirmable] = useState(false)
  const { revision, takeRefused } = useRevision(booking.revision)
  const { busy, run } = useSingleRun({ isLast: true })
  const { shownProblems, check, refuse, countRefusal } = useFormProblems(() =>
    findMissingPlaces(draft),
  )
  const change = (fields: Draft) => {
    setDraft((before) => ({ ...before, ...fields }))
    setNewPrice(null)
    setIsConfirmable(false)
  }
  const send = async (amendment: Amendment) => {
    await dispatch(
      advanceBooking.quiet({
        booking_id: booking.id,
        event: 'amend',
        ...amendment,
        estimateFare: newPrice ?? booking.trip_cost,
        ...(isConfirmable && { addressesConfirmed: true as const }),
        revision,
      }),
    ).unwrap()
    dispatch(noticeRaised({ tone: 'success', text: 'amend_done' }))
    onClose()
  }
  const save = async () => {
    shownProblems.clearRefusal()
    if (!check('trip')) return countRefusal()
    await run(() => send(readDraft(draft, settings))).catch((error: unknown) => {
      const refused = error as DomainError
      const { estimate } = refused.params ?? {}
      takeRefused(refused)
      if (refused.key === 'address_elsewhere' && addressConfirmation) setIsConfirmable(true)
      if (refused.key === 'estimate_changed' && typeof estimate === 'number') setNewPrice(estimate)
      else refuse(refused)
    })
  }
  return { ...shownProblems, draft, change, newPrice, isConfirmable, busy, save }
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
  isPhoneHidden,
  remembersPlaces,
  draft,
  change,
  problemAt,
  onLookup,
}: Pick<AmendmentOptions, 'booking' | 'settings'> &
  Pick<ReturnType<typeof useAmendment>, 'draft' | 'change' | 'problemAt'> &
  Pick<ComponentProps<typeof TripPlaces>, 'onLookup' | 'remembersPlaces'> & {
    isPhoneHidden: boolean
  }) => {
  const { t } = useTranslation()
  const contacts = useBookingContacts(booking, HIDDEN_FIELDS)
  const isStarted = booking.status === 'STARTED'
  const isVehicleOpen = booking.status === 'PAYMENT_PENDING' || booking.status === 'NEW'
  const { pickup = booking.pickup, drop = booking.drop } = draft
  const stops = draft.stops ?? toStopDrafts(booking.waypoints)
  const errorAt = (field: string) => {
    const problem = problemAt(field)
    return problem && translateError(problem, t)
  }
  return (
    <>
      <TripPlaces
        value={{ pickup, drop, stops }}
        near={booking}
        fixedCount={getStops(booking).filter(isStopDone).length}
        hasPickup={!isStarted}
        remembersPlaces={remembersPlaces}
        errorAt={errorAt}
        onChange={change}
        onLookup={onLookup}
      />
      {!isStarted && (
        <TextInput
          type="datetime-local"
          label={t('trip_date')}
          hint={booking.bookLater ? settings.timezone : t('amend_time_hint')}
          value={
            draft.when ??
            (booking.bookLater ? toWallClock(booking.tripdate, settings.timezone) : '')
          }
          error={errorAt('tripdate')}
          onChange={({ target }) => change({ when: target.value })}
        />
      )}
      {isVehicleOpen && (
        <VehicleSelect
          value={draft.carType ?? booking.carTypeId}
          error={errorAt('carType')}
          onChange={(carType) => change({ carType })}
        />
      )}
      {settings.appcat === 'delivery' && !isStarted && (
        <RecipientFields
          value={{
            deliveryPerson: booking.deliveryPerson ?? '',
            deliveryPersonPhone: isPhoneHidden ? '' : (contacts.deliveryPersonPhone ?? ''),
            pickUpInstructions: contacts.pickUpInstructions ?? '',
            deliveryInstructions: contacts.deliveryInstructions ?? '',
            ...draft.details,
          }}
          errorAt={errorAt}
          onChange={(changes) => change({ details: { ...draft.details, ...changes } })}
        />
      )}
    </>
  )
}

/**
 * Changes a booking. The server computes the price; a different price is shown beside the old one
 * and needs a second confirmation.
 */
export const AmendDialog = ({
  isPhoneHidden = false,
  remembersPlaces,
  ...options
}: AmendmentOptions & {
  isPhoneHidden?: boolean
  /** False where the places are not the user's own. */
  remembersPlaces: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { booking, addressConfirmation, onClose } = options
  const { draft, newPrice, busy, save, refusals, refused, ...amendment } = useAmendment(options)
  const { lookups, trackLookup } = useLookups()
  const isBusy = busy || lookups.length > 0
  const form = useRef<HTMLFormElement>(null)
  const formId = useId()
  useEffect(() => {
    if (refusals > 0) focusFirstInvalid(form.current)
  }, [refusals])
  const stops = draft.stops ?? booking.waypoints ?? []
  const other = findOtherProblem({ problems: amendment.problems, refused }, (field) =>
    isFormField(field, stops),
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
            {amendment.isConfirmable && refused?.key === 'address_elsewhere'
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
        <AmendFields
          {...options}
          isPhoneHidden={isPhoneHidden}
          remembersPlaces={remembersPlaces}
          draft={draft}
          change={amendment.change}
          problemAt={amendment.problemAt}
          onLookup={trackLookup}
        />
        <Prices present={booking.trip_cost} next={newPrice} />
      </form>
    </Dialog>
  )
}
