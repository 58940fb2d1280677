import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { safeParse } from 'valibot'
import type { Route } from '~/domain/booking/change'
import type { Place, Settings } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { officeDeliveryForm } from '~/domain/forms/people'
import { decodePolyline } from '~/domain/polyline'
import { addBooking } from '~/src/features/bookings/bookings'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { estimateOf, fetchRoute } from '~/src/features/estimates/estimates'
import { usePlacesOnMap } from '~/src/features/places/placesOnMap'
import type { Listed } from '~/src/features/users/users'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import {
  Button,
  ButtonLink,
  IconButton,
  Segments,
  SelectInput,
  TextArea,
  TextInput,
} from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { fromWallClock, toWallClock, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { MapView } from '~/src/ui/map/MapView'
import { useMinute } from '~/src/ui/office/Ago'
import pages from '~/src/ui/office/pages.module.css'
import { SkeletonLines } from '~/src/ui/states'
import { useUnsaved } from '~/src/ui/unsaved'
import { clock } from '../clock'
import { UserPicker } from '../people/UserPicker'
import { useOffice } from '../useOffice'
import css from './addBooking.module.css'
import { PlacePicker } from './PlacePicker'

/** Specification 9: a later booking begins no sooner. */
const LEAD_MS = 15 * 60_000

interface Delivery {
  deliveryPerson: string
  deliveryPersonPhone: string
  pickUpInstructions: string
  deliveryInstructions: string
}
const NO_DELIVERY: Delivery = {
  deliveryPerson: '',
  deliveryPersonPhone: '',
  pickUpInstructions: '',
  deliveryInstructions: '',
}

/** A stop on the way, before and after its place is chosen. */
interface Stop {
  /** Only tells the fields apart. */
  id: number
  place: Place | null
}
/** As many as the server takes. */
const MOST_STOPS = 25

const useRoute = (points: (Place | null)[]) => {
  const dispatch = useAppDispatch()
  const [answer, setAnswer] = useState<{ key: string; route: Route | null } | null>(null)
  const [round, setRound] = useState(0)
  const key = points.includes(null) ? null : JSON.stringify(points)
  useEffect(() => {
    if (!key) return
    const [pickup, ...rest] = JSON.parse(key) as [Place, ...Place[]]
    const drop = rest.pop() ?? pickup
    let wanted = true
    dispatch(fetchRoute({ pickup, drop, waypoints: rest, quiet: true }))
      .unwrap()
      .then(
        (route) => wanted && setAnswer({ key, route }),
        () => wanted && setAnswer({ key, route: null }),
      )
    return () => {
      wanted = false
    }
  }, [key, round, dispatch])
  const known = answer?.key === key ? answer : null
  return {
    route: known?.route ?? null,
    failed: known !== null && known?.route === null,
    again: () => setRound(round + 1),
  }
}

/** What must be right before a price is asked for, in the specification's order; the first that is not. */
const refusedOf = (
  draft: {
    pickup: Place | null
    drop: Place | null
    stops: Stop[]
    car: unknown
    later: boolean
    at: number | null
  },
  route: { route: Route | null; failed: boolean },
  rider: Listed | null,
  now: number,
): Refusal | null => {
  const { pickup, drop, stops, car, later, at } = draft
  if (!rider?.mobile) return refusal('incomplete_user', 'rider')
  if (!pickup) return refusal('select_proper', 'pickup')
  const unknown = stops.find(({ place }) => !place)
  if (unknown) return refusal('select_proper', `stop${unknown.id}`)
  if (!drop) return refusal('select_proper', 'drop')
  if (!car) return refusal('select_proper', 'carType')
  if (route.failed || !route.route) return refusal('place_to_coords_error', 'drop')
  if (later && at === null) return refusal('select_proper', 'tripdate')
  if (later && at !== null && at < now + LEAD_MS) return refusal('past_booking_error', 'tripdate')
  return null
}

const Form = ({ settings, onAgain }: { settings: Settings; onAgain: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { database } = useServices()
  const { cars } = useLive(carTypes)
  const now = useMinute()
  const isDelivery = settings.appcat === 'delivery'

  const [rider, setRider] = useState<Listed | null>(null)
  const [pickup, setPickup] = useState<Place | null>(null)
  const [drop, setDrop] = useState<Place | null>(null)
  const [stops, setStops] = useState<Stop[]>([])
  const [carId, setCarId] = useState('')
  const [later, setLater] = useState(false)
  const [when, setWhen] = useState('')
  const [parcel, setParcel] = useState(0)
  const [option, setOption] = useState(0)
  const [delivery, setDelivery] = useState(NO_DELIVERY)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  /** How many chosen places are still being looked up. */
  const [lookups, setLookups] = useState(0)
  const [booked, setBooked] = useState<string | null>(null)
  // Made once for a booking: sent twice, it is still one booking.
  const bookingId = useRef<string | null>(null)

  const car = cars.find(({ id }) => id === carId)
  const waypoints = stops.flatMap(({ place }) => (place ? [place] : []))
  const points = [pickup, ...stops.map(({ place }) => place), drop]
  const isComplete = !points.includes(null)
  const { route, failed, again } = useRoute(points)
  const parcelTypes = isDelivery ? (car?.parcelTypes ?? []) : []
  const options = isDelivery ? (car?.options ?? []) : []
  const quote =
    car &&
    estimateOf({
      carDetails: car,
      routeDetails: route,
      settings,
      parcelTypeSelected: parcelTypes[parcel],
      optionSelected: options[option],
    })
  const at = later ? fromWallClock(when, settings.timezone) : null
  const errorAt = (field: string) =>
    refused?.field === field ? t(refused.key, refused.params ?? {}) : undefined
  const shownAtField = FIELDS.has((refused?.field ?? '').replace(/\d+$/, ''))
  const touched = [rider, pickup, drop, ...stops, carId, ...Object.values(delivery)].some(Boolean)
  const question = useUnsaved(touched && !booked)

  const isLooking = lookups > 0 || (route === null && !failed && isComplete)
  const looking = (done: Promise<void>) => {
    setLookups((count) => count + 1)
    void done.finally(() => setLookups((count) => count - 1))
  }
  const book = async () => {
    const problem = refusedOf(
      { pickup, drop, stops, car, later, at },
      { route, failed },
      rider,
      clock(),
    )
    if (problem || !rider || !pickup || !drop || !car || !quote) {
      setRefused(problem ?? refusal('no_route_found'))
      return
    }
    if (isDelivery) {
      const checked = safeParse(officeDeliveryForm, delivery)
      if (!checked.success) {
        const field = String(checked.issues[0].path?.[0]?.key ?? '')
        setRefused({ key: checked.issues[0].message as Refusal['key'], field })
        return
      }
    }
    setBusy(true)
    setRefused(null)
    try {
      bookingId.current ??= await database.newKey()
      const { booking_id } = await dispatch(
        addBooking({
          booking_id: bookingId.current,
          customer: rider.id,
          pickup,
          drop,
          ...(waypoints.length > 0 && { waypoints }),
          carType: car.id,
          bookLater: later,
          ...(at !== null && { tripdate: at }),
          estimateFare: quote.estimateFare,
          ...(parcelTypes.length > 0 && { parcelTypeIndex: parcel }),
          ...(options.length > 0 && { optionIndex: option }),
          ...(isDelivery && delivery),
          quiet: true,
        }),
      ).unwrap()
      setBooked(booking_id)
    } catch (error) {
      const no = error as Refusal
      setRefused(no)
      // The car types are live; the way may have changed too.
      if (no.key === 'estimate_changed') again()
    } finally {
      setBusy(false)
    }
  }
  const chooseCar = (id: string) => {
    setCarId(id)
    setParcel(0)
    setOption(0)
  }
  const typeDelivery =
    (field: keyof Delivery) =>
    ({ target }: { target: { value: string } }) =>
      setDelivery({ ...delivery, [field]: target.value })

  const way = useMemo(() => (route ? decodePolyline(route.polylinePoints) : []), [route])
  const ends = [pickup, ...waypoints, drop].filter((place) => place !== null)
  const places = usePlacesOnMap()({ pickup, waypoints, drop })
  return (
    <form
      className={css.split}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && !isLooking) void book()
      }}
    >
      <div className={css.form}>
        <UserPicker
          label={t('rider')}
          usertypes={['rider']}
          value={rider}
          onChange={setRider}
          error={errorAt('rider') ?? errorAt('customer')}
        />
        <PlacePicker
          label={t('pickup')}
          value={pickup}
          onChange={setPickup}
          onLooking={looking}
          near={drop}
          error={errorAt('pickup')}
        />
        {stops.map(({ id, place }, index) => (
          <div key={id} className={css.stop}>
            <PlacePicker
              label={`${t('stop')} ${format.number(index + 1)}`}
              value={place}
              onChange={(chosen) =>
                setStops((all) =>
                  all.map((stop) => (stop.id === id ? { id, place: chosen } : stop)),
                )
              }
              onLooking={looking}
              near={pickup}
              error={errorAt(`stop${id}`)}
            />
            <IconButton
              label={t('remove_stop')}
              onClick={() => setStops(stops.filter((stop) => stop.id !== id))}
            >
              <Icon name="trash" />
            </IconButton>
          </div>
        ))}
        <PlacePicker
          label={t('drop')}
          value={drop}
          onChange={setDrop}
          onLooking={looking}
          near={pickup}
          error={errorAt('drop')}
        />
        {stops.length < MOST_STOPS && (
          <div>
            <Button
              size="small"
              look="quiet"
              onClick={() => setStops([...stops, { id: (stops.at(-1)?.id ?? 0) + 1, place: null }])}
            >
              <Icon name="plus" size={18} />
              {t('add_stop')}
            </Button>
          </div>
        )}
        <SelectInput
          label={t('car_type')}
          value={carId}
          error={errorAt('carType')}
          onChange={({ target }) => chooseCar(target.value)}
        >
          <option value="">{t('select_car')}</option>
          {cars.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectInput>
        <Segments
          legend={t('booking_type')}
          value={later ? 'later' : 'now'}
          onChange={(value) => setLater(value === 'later')}
          options={[
            { value: 'now', label: t('book_now') },
            { value: 'later', label: t('book_later') },
          ]}
        />
        {later && (
          <TextInput
            type="datetime-local"
            label={t('trip_date')}
            hint={settings.timezone}
            min={toWallClock(now + LEAD_MS, settings.timezone)}
            value={when}
            error={errorAt('tripdate')}
            onChange={({ target }) => setWhen(target.value)}
          />
        )}
        {parcelTypes.length > 0 && (
          <SelectInput
            label={t('parcel_type')}
            value={parcel}
            onChange={({ target }) => setParcel(Number(target.value))}
          >
            {parcelTypes.map(({ description, amount }, index) => (
              <option key={index} value={index}>
                {`${description} · ${format.money(amount)}`}
              </option>
            ))}
          </SelectInput>
        )}
        {options.length > 0 && (
          <SelectInput
            label={t('option')}
            value={option}
            onChange={({ target }) => setOption(Number(target.value))}
          >
            {options.map(({ description, amount }, index) => (
              <option key={index} value={index}>
                {`${description} · ${format.money(amount)}`}
              </option>
            ))}
          </SelectInput>
        )}
        {isDelivery && (
          <>
            <TextInput
              label={t('deliveryPerson')}
              value={delivery.deliveryPerson}
              error={errorAt('deliveryPerson')}
              onChange={typeDelivery('deliveryPerson')}
            />
            <TextInput
              type="tel"
              label={t('deliveryPersonPhone')}
              value={delivery.deliveryPersonPhone}
              error={errorAt('deliveryPersonPhone')}
              onChange={typeDelivery('deliveryPersonPhone')}
            />
            <TextArea
              rows={2}
              label={t('pickUpInstructions')}
              value={delivery.pickUpInstructions}
              onChange={typeDelivery('pickUpInstructions')}
            />
            <TextArea
              rows={2}
              label={t('deliveryInstructions')}
              value={delivery.deliveryInstructions}
              onChange={typeDelivery('deliveryInstructions')}
            />
          </>
        )}
      </div>
      <aside className={css.aside}>
        <div className={css.map}>
          <MapView
            label={t('booking_map_office')}
            {...places}
            paths={
              way.length > 1
                ? [{ id: 'way', points: way, tone: route?.approximate ? 'faint' : 'route' }]
                : []
            }
            fit={ends}
          />
        </div>
        <section className={css.estimate} aria-live="polite">
          <h2>{t('estimate')}</h2>
          {quote && route ? (
            <>
              <p className={css.muted}>
                {format.distance(quote.distance)} · {format.duration(route.time_in_secs)}
              </p>
              {route.approximate && <p className={css.muted}>{t('approximate_route')}</p>}
              <dl className={css.lines}>
                {quote.lines.map(({ label, amount }) => (
                  <div key={label}>
                    <dt>{t(label)}</dt>
                    <dd>{format.money(amount)}</dd>
                  </div>
                ))}
                <div className={css.total}>
                  <dt>{t('total')}</dt>
                  <dd>{format.money(quote.estimateFare)}</dd>
                </div>
              </dl>
            </>
          ) : (
            <p className={css.muted}>{t(failed ? 'no_route_found' : 'estimate_waits')}</p>
          )}
          {refused && !shownAtField && (
            <p className={pages.refused} role="alert">
              {t(refused.key, refused.params ?? {})}
            </p>
          )}
          <Button look="primary" size="large" wide type="submit" busy={busy || isLooking}>
            {t('book')}
          </Button>
        </section>
      </aside>
      {question}
      {booked && (
        <Dialog
          title={t('booking_success_office')}
          actions={
            <>
              <Button onClick={onAgain}>{t('book_another')}</Button>
              <ButtonLink look="primary" to={screens.bookings}>
                {t('menu_bookings')}
              </ButtonLink>
            </>
          }
        >
          <p>{t('booking_success', { id: booked })}</p>
        </Dialog>
      )}
    </form>
  )
}
const FIELDS = new Set([
  'rider',
  'customer',
  'pickup',
  'drop',
  'stop',
  'carType',
  'tripdate',
  'deliveryPerson',
  'deliveryPersonPhone',
])

/** An admin books for a rider who is on the phone. */
export const AddBookingPage = () => {
  const { t } = useTranslation()
  const { settings } = useOffice()
  const [round, setRound] = useState(0)
  return (
    <div className={pages.page}>
      <h1>{t('menu_add_booking')}</h1>
      {settings ? (
        // Another booking begins with an empty form.
        <Form key={round} settings={settings} onAgain={() => setRound(round + 1)} />
      ) : (
        <SkeletonLines lines={6} />
      )}
    </div>
  )
}
