import { useTranslation } from 'react-i18next'
import { toDistanceUnit } from '~/domain/geo/geo'
import {
  type BookingPlaces,
  endsSwapped,
  waypointAdded,
  waypointMoved,
  waypointRemoved,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { useAppDispatch } from '~/src/store/hooks'
import { IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { PlaceMark } from '~/src/ui/PlaceMark'
import { PlaceField } from '~/src/widgets/places/PlaceField'
import type { Option } from '~/src/widgets/places/placeOptions'
import { AddStopButton } from '~/src/widgets/trip/AddStopButton'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { useErrorTexts } from '~/src/widgets/trip/useErrorTexts'
import { usePlaceFields } from '~/src/widgets/trip/usePlaceFields'
import css from './BookingForm.module.css'
import type { Route } from '~/domain/booking/trip/route'

/** A placeholder about as long in words as most routes. */
const TYPICAL_ROUTE = { distance_in_km: 12.3, time_in_secs: 1500 }

/** Renders the buttons that move a stop up and remove it. */
const StopButtons = ({ stop }: { stop: number }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <>
      {stop > 0 && (
        <IconButton
          label={t('stop_earlier')}
          onClick={() => dispatch(waypointMoved({ from: stop, to: stop - 1 }))}
        >
          <Icon name="up" size={18} />
        </IconButton>
      )}
      <IconButton label={t('remove_stop')} onClick={() => dispatch(waypointRemoved(stop))}>
        <Icon name="close" size={18} />
      </IconButton>
    </>
  )
}

/** Renders the pickup, the stops and the drop-off, and the button that swaps them. */
export const RiderPlaces = ({
  form,
  trip,
  extras,
}: {
  form: DraftedForm
  trip: BookingPlaces
  extras: Option[] | undefined
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const fields = usePlaceFields({
    places: trip,
    changePlaces: dispatch,
    errorAt: useErrorTexts(form),
    trackLookup: form.trackLookup,
  })
  return (
    <div className={css.places}>
      <div className={css.stack}>
        {fields.map(({ slot, kind, stop, props }) => (
          <PlaceField
            key={slot}
            {...props}
            placeholder={t(kind === 'stop' ? 'waypoint_placeholder' : `${kind}_placeholder`)}
            offersPosition={kind === 'pickup'}
            extras={extras}
            mark={<PlaceMark kind={kind} size={22} />}
            buttons={stop !== null && <StopButtons stop={stop} />}
          />
        ))}
      </div>
      <IconButton label={t('swap_ends')} variant="outline" onClick={() => dispatch(endsSwapped())}>
        <Icon name="swap" />
      </IconButton>
    </div>
  )
}

/** Renders the button for another stop, and the length of the route. */
export const RouteLine = ({
  form,
  stopCount,
  isMile,
}: {
  form: DraftedForm
  stopCount: number
  /** Null before the settings are known; reserves no space then. */
  isMile: boolean | null
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const formatRoute = ({
    distance_in_km,
    time_in_secs,
  }: Pick<Route, 'distance_in_km' | 'time_in_secs'>) =>
    t('estimate_route', {
      distance: format.distance(
        toDistanceUnit(distance_in_km, { convert_to_mile: isMile ?? false }),
      ),
      duration: format.duration(time_in_secs),
    })
  return (
    <div className={css.under}>
      <AddStopButton
        stopCount={stopCount}
        hasProblem={form.problemAt('waypoints') !== undefined}
        onAdd={() => dispatch(waypointAdded())}
      />
      {isMile !== null && (
        <p>
          {/* Two elements, because changing the text of one would count as a layout shift. */}
          {form.route ? (
            <span key="way">{formatRoute(form.route)}</span>
          ) : (
            <span key="coming" className={css.coming}>
              {formatRoute(TYPICAL_ROUTE)}
            </span>
          )}
        </p>
      )}
    </div>
  )
}
