import { type ComponentType, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { getStops, isStopDone } from '~/domain/booking/stops/bookingStops'
import { type DomainError, domainError } from '~/domain/api/errors'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { vehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button, SelectInput, TextArea, TextInput } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { focusFirstInvalid } from '~/src/ui/focusFirstInvalid'
import { fromWallClock, Money, toWallClock, useFormat } from '~/src/ui/format'
import { StopFields, type StopDraft } from '~/src/ui/forms/StopFields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './AmendDialog.module.css'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'
import type { Booking } from '~/domain/booking/types'
import type { LatLng, Place } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'

/** The props of a place field; the rider's form and the office's have different ones. */
export interface AmendedPlaceProps {
  label: string
  value: Place | null
  onChange: (place: Place | null) => void
  error: string | undefined
  near: LatLng
  /** Receives the running lookup of a chosen place; saving waits until it settles. */
  onLookup: (lookup: Promise<unknown>) => void
}

type Amendment = Omit<Extract<AdvanceBookingInput, { event: 'amend' }>, 'booking_id' | 'event'>
const HIDDEN_FIELDS = ['deliveryPersonPhone', ...INSTRUCTION_FIELDS] as const
type DetailField =
  'deliveryPerson' | 'deliveryPersonPhone' | 'pickUpInstructions' | 'deliveryInstructions'

/** The details as they are typed; a field that is absent was not touched. */
interface Draft {
  pickup?: Place | null
  drop?: Place | null
  stops?: StopDraft[]
  /** Local time in the platform's time zone. */
  when?: string
  carType?: string
  details?: Partial<Record<DetailField, string>>
}

const toStops = ({ waypoints = [] }: Booking) => waypoints.map((place, id) => ({ id, place }))

/** Returns the request from the typed details, or the invalid fields. */
const readDraft = (
  { pickup, drop, stops, when, carType, details }: Draft,
  { timezone }: Settings,
): { amendment: Amendment; problems: DomainError[] } => {
  const tripdate = when ? (fromWallClock(when, timezone) ?? undefined) : undefined
  const problems = [
    pickup === null && domainError('select_proper', 'pickup'),
    drop === null && domainError('select_proper', 'drop'),
    ...(stops ?? []).map(({ id, place }) => !place && domainError('select_proper', `stop${id}`)),
  ]
  return {
    amendment: {
      ...(pickup && { pickup }),
      ...(drop && { drop }),
      ...(stops && { waypoints: stops.flatMap(({ place }) => (place ? [place] : [])) }),
      ...(tripdate !== undefined && { tripdate }),
      ...(carType !== undefined && { carType }),
      ...details,
    },
    problems: problems.filter((problem) => problem !== false),
  }
}

/**
 * Changes a booking. The server computes the price; a different price is shown beside the old one
 * and needs a second confirmation. Keeps the typed details when the server refuses them.
 */
export const AmendDialog = ({
  booking,
  settings,
  isPhoneHidden = false,
  addressConfirmation,
  PlaceInput,
  onClose,
}: {
  booking: Booking
  settings: Settings
  isPhoneHidden?: boolean
  /** The office's button that confirms a refused address. */
  addressConfirmation?: string
  PlaceInput: ComponentType<AmendedPlaceProps>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { cars } = useLive(vehicleTypes)
  const getVehicleName = useVehicleTypeName()
  const contacts = useBookingContacts(booking, HIDDEN_FIELDS)
  const [draft, setDraft] = useState<Draft>({})
  const [problems, setProblems] = useState<DomainError[]>([])
  const [newPrice, setNewPrice] = useState<number | null>(null)
  /** True when the office may confirm the addresses that the server has refused. */
  const [isConfirmable, setIsConfirmable] = useState(false)
  /** The revision that the person has seen; a later amendment by someone else is a conflict. */
  const [revision, setRevision] = useState(booking.revision)
  const { busy, run } = useSingleRun({ isLast: true })
  /** Number of chosen places whose position is being looked up. */
  const [lookups, setLookups] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const formId = useId()
  useEffect(() => {
    if (problems.length > 0) focusFirstInvalid(form.current)
  }, [problems])

  const isStarted = booking.status === 'STARTED'
  const isVehicleOpen = booking.status === 'PAYMENT_PENDING' || booking.status === 'NEW'
  const isDelivery = settings.appcat === 'delivery'
  const stops = draft.stops ?? toStops(booking)
  const details: Record<DetailField, string> = {
    deliveryPerson: booking.deliveryPerson ?? '',
    deliveryPersonPhone: isPhoneHidden ? '' : (contacts.deliveryPersonPhone ?? ''),
    pickUpInstructions: contacts.pickUpInstructions ?? '',
    deliveryInstructions: contacts.deliveryInstructions ?? '',
    ...draft.details,
  }
  const change = (fields: Draft) => {
    setDraft((before) => ({ ...before, ...fields }))
    setNewPrice(null)
    setIsConfirmable(false)
  }
  const typeDetail =
    (field: DetailField) =>
    ({ target }: { target: { value: string } }) =>
      change({ details: { ...draft.details, [field]: target.value } })
  const onLookup = (lookup: Promise<unknown>) => {
    setLookups((count) => count + 1)
    void lookup.finally(() => setLookups((count) => count - 1))
  }
  const errorAt = (...fields: string[]) => {
    const problem = problems.find(({ field = '' }) => fields.includes(field.split('.')[0] ?? ''))
    return problem && translateError(problem, t)
  }
  const isElsewhere = problems.some(({ key }) => key === 'address_elsewhere')
  const others = problems.filter(({ field }) => !isShownAtField(field, stops))

  const save = async () => {
    const { amendment, problems: wrong } = readDraft(draft, settings)
    setProblems(wrong)
    if (wrong.length > 0) return
    await run(async () => {
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
    }).catch((error: unknown) => {
      const refused = error as DomainError
      const { estimate, revision: present } = refused.params ?? {}
      if (refused.key === 'changed_meanwhile' && typeof present === 'number') setRevision(present)
      if (refused.key === 'address_elsewhere' && addressConfirmation) setIsConfirmable(true)
      if (refused.key === 'estimate_changed' && typeof estimate === 'number') setNewPrice(estimate)
      else setProblems([refused])
    })
  }
  const place = (field: 'pickup' | 'drop', near: LatLng) => (
    <PlaceInput
      label={t(field)}
      value={draft[field] === undefined ? booking[field] : draft[field]}
      onChange={(chosen) => change({ [field]: chosen })}
      error={errorAt(field)}
      near={near}
      onLookup={onLookup}
    />
  )
  return (
    <Dialog
      title={t('change_booking')}
      onClose={onClose}
      // In the dialog's foot, which stays on the screen: the new price below a long form would be
      // out of sight.
      problem={others.map((other) => (
        <Refusal key={other.key} error={other} />
      ))}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" type="submit" form={formId} busy={busy || lookups > 0}>
            {isConfirmable && isElsewhere
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
          if (!busy && lookups === 0) void save()
        }}
      >
        {!isStarted && place('pickup', booking.drop)}
        <StopFields
          stops={stops}
          fixedCount={getStops(booking).filter(isStopDone).length}
          onChange={(changed) => change({ stops: changed })}
          renderStop={(props, { id }, index) => (
            <PlaceInput
              {...props}
              error={errorAt(`stop${id}`, ...(index === 0 ? ['waypoints'] : []))}
              near={booking.pickup}
              onLookup={onLookup}
            />
          )}
        >
          {place('drop', booking.pickup)}
        </StopFields>
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
          <SelectInput
            label={t('car_type')}
            value={draft.carType ?? booking.carTypeId}
            error={errorAt('carType')}
            onChange={({ target }) => change({ carType: target.value })}
          >
            {cars.map((vehicle) => (
              <option key={vehicle.id} value={vehicle.id}>
                {getVehicleName(vehicle)}
              </option>
            ))}
          </SelectInput>
        )}
        {isDelivery && !isStarted && (
          <>
            <TextInput
              label={t('deliveryPerson')}
              value={details.deliveryPerson}
              error={errorAt('deliveryPerson')}
              onChange={typeDetail('deliveryPerson')}
            />
            <TextInput
              type="tel"
              label={t('deliveryPersonPhone')}
              value={details.deliveryPersonPhone}
              error={errorAt('deliveryPersonPhone')}
              onChange={typeDetail('deliveryPersonPhone')}
            />
            <TextArea
              rows={2}
              label={t('pickUpInstructions')}
              value={details.pickUpInstructions}
              error={errorAt('pickUpInstructions')}
              onChange={typeDetail('pickUpInstructions')}
            />
            <TextArea
              rows={2}
              label={t('deliveryInstructions')}
              value={details.deliveryInstructions}
              error={errorAt('deliveryInstructions')}
              onChange={typeDetail('deliveryInstructions')}
            />
          </>
        )}
        <dl className={css.prices} aria-live="polite">
          <div>
            <dt>{t('amend_price_now')}</dt>
            <dd>
              <Money amount={booking.trip_cost} />
            </dd>
          </div>
          {newPrice !== null && (
            <div className={css.next}>
              <dt>{t('amend_price_new')}</dt>
              <dd>
                <Money amount={newPrice} />
              </dd>
            </div>
          )}
        </dl>
      </form>
    </Dialog>
  )
}

const FORM_FIELDS = new Set([
  'pickup',
  'drop',
  'tripdate',
  'carType',
  'deliveryPerson',
  'deliveryPersonPhone',
  'pickUpInstructions',
  'deliveryInstructions',
])

/** Returns true when the form shows a problem beside its field. */
const isShownAtField = (field: string | undefined, stops: readonly unknown[]): boolean => {
  const root = field?.split('.')[0] ?? ''
  return (
    FORM_FIELDS.has(root) || /^stop\d+$/.test(root) || (root === 'waypoints' && stops.length > 0)
  )
}
