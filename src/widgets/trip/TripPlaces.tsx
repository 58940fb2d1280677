import { useTranslation } from 'react-i18next'
import { IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { LabeledPlaceField } from '../places/LabeledPlaceField'
import { AddStopButton } from './AddStopButton'
import css from './TripPlaces.module.css'
import type { Place } from '~/domain/geo/types'

/** A stop in a form; its place is null until one is chosen. */
export interface StopDraft {
  id: number
  place: Place | null
}

/** The places of a trip in a form; an end is null after it was emptied. */
export interface PlacesDraft {
  pickup: Place | null
  drop: Place | null
  stops: StopDraft[]
}

export const toStopDrafts = (places: readonly Place[] = []): StopDraft[] =>
  places.map((place, id) => ({ id, place }))

/** Returns the places of the stops for which one was chosen. */
export const toWaypoints = (stops: readonly StopDraft[]): Place[] =>
  stops.flatMap(({ place }) => (place ? [place] : []))

/** Shows a stop that can no longer change. */
const FixedStop = ({ label, value }: { label: string; value: Place | null }) => (
  <p className={css.fixedStop}>
    <small>{label}</small> {value?.add}
  </p>
)

interface Props {
  value: PlacesDraft
  /** The ends of the trip before it was edited, near which new places are searched. */
  near: { pickup: Place; drop: Place }
  fixedCount?: number
  /** False when the pickup can no longer change. */
  hasPickup?: boolean
  /** False where the places are not the user's own. */
  remembersPlaces: boolean
  /** Returns the translated error of a field: an end, `stop0` with a stop's id, or `waypoints`. */
  errorAt: (field: string) => string | undefined
  onChange: (changes: Partial<PlacesDraft>) => void
  /** Receives the running lookup of a chosen place; saving waits until it settles. */
  onLookup: (lookup: Promise<unknown>) => void
}

/** Edits the places of a trip that exists, except the first `fixedCount` stops. */
export const TripPlaces = ({
  value: { pickup, drop, stops },
  near,
  fixedCount = 0,
  hasPickup = true,
  remembersPlaces,
  errorAt,
  onChange,
  onLookup,
}: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  const shared = { required: true, remembers: remembersPlaces, onLookup }
  const changeStops = (changed: StopDraft[]) => onChange({ stops: changed })
  const addStop = () =>
    changeStops([...stops, { id: Math.max(-1, ...stops.map(({ id }) => id)) + 1, place: null }])
  const renderEnd = (field: 'pickup' | 'drop', place: Place | null) => (
    <LabeledPlaceField
      {...shared}
      kind={field}
      label={t(field)}
      value={place}
      onChange={(chosenPlace) => onChange({ [field]: chosenPlace })}
      error={errorAt(field)}
      near={field === 'pickup' ? near.drop : near.pickup}
    />
  )
  const renderStop = ({ id, place }: StopDraft, index: number) => {
    const label = `${t('stop')} ${format.number(index + 1)}`
    if (index < fixedCount) return <FixedStop key={id} label={label} value={place} />
    return (
      <div key={id} className={css.stop}>
        <LabeledPlaceField
          {...shared}
          kind="stop"
          label={label}
          value={place}
          onChange={(chosenPlace) =>
            changeStops(stops.map((one) => (one.id === id ? { id, place: chosenPlace } : one)))
          }
          error={errorAt(`stop${id}`) ?? (index === 0 ? errorAt('waypoints') : undefined)}
          near={near.pickup}
        />
        <IconButton
          label={t('remove_stop')}
          onClick={() => changeStops(stops.filter((one) => one.id !== id))}
        >
          <Icon name="trash" />
        </IconButton>
      </div>
    )
  }
  return (
    <>
      {hasPickup && renderEnd('pickup', pickup)}
      {stops.map(renderStop)}
      {renderEnd('drop', drop)}
      <div>
        <AddStopButton stopCount={stops.length} onAdd={addStop} />
      </div>
    </>
  )
}
