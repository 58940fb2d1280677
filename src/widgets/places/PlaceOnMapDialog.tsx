import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfiguredMaps } from '~/src/features/places/ConfiguredMaps'
import { fetchAddressfromCoords } from '~/src/features/places/places'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { MapView } from '~/src/ui/map/MapView'
import { Skeleton } from '~/src/ui/feedback/states'
import css from './PlaceField.module.css'
import type { LatLng, Place } from '~/domain/geo/types'

const formatShort = ({ lat, lng }: LatLng) => `${lat.toFixed(5)}, ${lng.toFixed(5)}`

/**
 * Lets the user choose a place by moving the map under a pin. Returns null when closed.
 *
 * @public PlaceField loads it on demand.
 */
export const PlaceOnMapDialog = ({
  title,
  start,
  knownPlaces,
  onPick,
}: {
  title: string
  start: LatLng | undefined
  /** Saved and recent places, offered beside the map. */
  knownPlaces: readonly Place[]
  onPick: (place: Place | null) => void
}) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const [place, setPlace] = useState<Place | null>(null)
  const [isChosen, setChosen] = useState(false)
  const center = useRef<LatLng>(null)
  const lookUpAddress = (position: LatLng) => {
    // A map also comes to rest after a change of its size, which moves nothing.
    if (center.current && formatShort(center.current) === formatShort(position)) return
    center.current = position
    setPlace(null)
    void dispatch(fetchAddressfromCoords.quiet({ ...position, language: i18n.language }))
      .unwrap()
      // A point without an address is still a place.
      .catch(() => formatShort(position))
      .then((add) => center.current === position && setPlace({ ...position, add }))
  }
  // The button accepts a tap at any time: one during a search waits for the address.
  useEffect(() => {
    if (isChosen && place) onPick(place)
  }, [isChosen, place, onPick])
  return (
    <Dialog
      title={title}
      onClose={() => onPick(null)}
      actions={
        <Button variant="primary" size="large" wide busy={isChosen} onClick={() => setChosen(true)}>
          {t('use_this_place')}
        </Button>
      }
    >
      <div className={css.map}>
        <ConfiguredMaps>
          <MapView
            label={t('choose_on_map')}
            {...(start && { center: { lat: start.lat, lng: start.lng } })}
            zoom={15}
            onPick={lookUpAddress}
            list={knownPlaces.map(({ add, ...position }) => ({ id: add, text: add, position }))}
          />
        </ConfiguredMaps>
      </div>
      <p className={css.picked} aria-live="polite">
        {place ? place.add : <Skeleton width="60%" />}
      </p>
    </Dialog>
  )
}
