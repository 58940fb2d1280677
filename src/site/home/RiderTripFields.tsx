import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookingPlaces, listPlaces } from '~/src/features/bookingPlaces/bookingPlaces'
import { liveSettings } from '~/src/features/settings/settings'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { useFormat } from '~/src/ui/format/format'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import type { Option } from '~/src/widgets/places/placeOptions'
import { TripTime } from '~/src/widgets/trip/TripTime'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { useErrorTexts } from '~/src/widgets/trip/useErrorTexts'
import css from './BookingForm.module.css'
import { RiderPlaces, RouteLine } from './RiderPlaces'
import { VehicleTypePicker } from './VehicleTypePicker'

const RoutePreview = lazyWithRetry(async () => (await import('./RoutePreview')).RoutePreview)

/**
 * Returns true while the route of chosen places loads. The form reserves the space of its line,
 * which would move the content below if it appeared later.
 */
const isRouteComing = (form: DraftedForm, trip: BookingPlaces): boolean =>
  !form.route &&
  !form.hasRouteFailed &&
  listPlaces(trip).every(({ slot, place }) => form.lookups.includes(slot) || place?.add)

interface Props {
  form: DraftedForm
  trip: BookingPlaces
  extras: Option[] | undefined
}

/** Renders the fields of a trip and the button that books it. */
export const RiderTripFields = ({ form, trip, extras }: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  const { cars, loading, error, retry } = useLive(liveVehicleTypes)
  const errorAt = useErrorTexts(form)
  const isRouteLoading = isRouteComing(form, trip)
  const hasRouteLine = form.route !== null || isRouteLoading
  const hasExtras = form.parcelTypes.length > 0 || form.options.length > 0
  return (
    <>
      <h2>{t('form_title')}</h2>
      <RiderPlaces form={form} trip={trip} extras={extras} />
      <RouteLine
        form={form}
        stopCount={trip.waypoints.length}
        isMile={hasRouteLine && settings ? (settings.convert_to_mile ?? false) : null}
      />
      {hasRouteLine && (
        <div className={css.preview}>
          {form.places && form.route && (
            // Booking also works without the map.
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <RoutePreview places={form.places} route={form.route} carType={trip.carType} />
              </Suspense>
            </ErrorBoundary>
          )}
        </div>
      )}
      <VehicleTypePicker
        cars={cars}
        loading={loading}
        value={trip.carType}
        route={form.route}
        isComing={isRouteLoading}
        settings={settings}
        error={errorAt('carType')}
        onRetry={error.flag ? retry : null}
        onChange={form.chooseVehicle}
      />
      <TripTime
        form={form}
        legend={t('when')}
        time={{ label: t('pickup_at'), hint: t('pickup_at_hint'), error: errorAt('tripdate') }}
      />
      <div className={css.submit}>
        <Button type="submit" variant="accent" size="large" wide busy={form.isWaiting}>
          {form.draft.later ? t('book_later_button') : t('Book Now')}
          {form.quote && !hasExtras && ` · ${format.money(form.quote.estimateFare)}`}
        </Button>
      </div>
    </>
  )
}
