import { useTranslation } from 'react-i18next'
import {
  type BookingPlaces,
  waypointAdded,
  waypointRemoved,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { LabeledPlaceField } from '../places/LabeledPlaceField'
import { AddStopButton } from './AddStopButton'
import css from './TripPlaces.module.css'
import { type PlaceFieldsOptions, usePlaceFields } from './usePlaceFields'
import type { LatLng, Place } from '~/domain/geo/types'

/** Returns true when the places or the vehicle type of a form show the problem of a field. */
export const isTripField = (field: string, { waypoints }: BookingPlaces): boolean =>
  /^(pickup|drop|carType|stop\d+)$/.test(field) || (field === 'waypoints' && waypoints.length > 0)

/** Shows a stop that can no longer change. */
const FixedStop = ({ label, value }: { label: string; value: Place | null }) => (
  <p className={css.fixedStop}>
    <small>{label}</small> {value?.add}
  </p>
)

interface Props extends PlaceFieldsOptions {
  /** The ends of a trip before it was edited, near which new places are searched. */
  near?: { pickup: LatLng; drop: LatLng }
  fixedCount?: number
  /** False when the pickup can no longer change. */
  hasPickup?: boolean
  /** False where the places are not the user's own. */
  remembersPlaces: boolean
}

/** Edits the places of a trip, except the first `fixedCount` stops. */
export const TripPlaces = ({
  near,
  fixedCount = 0,
  hasPickup = true,
  remembersPlaces,
  ...options
}: Props) => {
  const { t } = useTranslation()
  const { places, changePlaces, errorAt } = options
  const fields = usePlaceFields(options)
  return (
    <>
      {fields.map(({ slot, kind, stop, props }) => {
        if (kind === 'pickup' && !hasPickup) return null
        if (stop !== null && stop < fixedCount) return <FixedStop key={slot} {...props} />
        const field = (
          <LabeledPlaceField
            key={slot}
            {...props}
            kind={kind}
            required
            remembers={remembersPlaces}
            near={near ? near[kind === 'pickup' ? 'drop' : 'pickup'] : props.near}
            error={props.error ?? (stop === 0 ? errorAt('waypoints') : undefined)}
          />
        )
        if (stop === null) return field
        return (
          <div key={slot} className={css.stop}>
            {field}
            <IconButton
              label={t('remove_stop')}
              onClick={() => changePlaces(waypointRemoved(stop))}
            >
              <Icon name="trash" />
            </IconButton>
          </div>
        )
      })}
      <div>
        <AddStopButton
          stopCount={places.waypoints.length}
          onAdd={() => changePlaces(waypointAdded())}
        />
      </div>
    </>
  )
}
