import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import { ConfiguredMaps } from '~/src/features/places/ConfiguredMaps'
import { fetchAddressfromCoords } from '~/src/features/places/places'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { MapView } from '~/src/ui/map/MapView'
import { Skeleton } from '~/src/ui/states'
import css from './PlaceField.module.css'

/**
 * Lets the user choose a place by moving the map under a pin. Returns null when closed.
 *
 * @public PlaceField loads it on demand.
 */
export const PlaceOnMapDialog = ({
  title,
  start,
  known,
  onPick,
}: {
  title: string
  start: LatLng | undefined
  /** Saved and recent places, offered beside the map. */
  known: readonly Place[]
  onPick: (place: Place | null) => void
}) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const [place, setPlace] = useState<Place | null>(null)
  const lastRequest = useRef(0)
  const lookUpAddress = ({ lat, lng }: LatLng) => {
    const request = ++lastRequest.current
    setPlace(null)
    void dispatch(fetchAddressfromCoords.quiet({ lat, lng, language: i18n.language }))
      .unwrap()
      // A point without an address is still a place.
      .catch(() => `${lat.toFixed(5)}, ${lng.toFixed(5)}`)
      .then((add) => request === lastRequest.current && setPlace({ lat, lng, add }))
  }
  return (
    <Dialog
      title={title}
      onClose={() => onPick(null)}
      actions={
        <Button
          variant="primary"
          size="large"
          wide
          disabled={!place}
          onClick={() => place && onPick(place)}
        >
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
            list={known.map(({ add, ...position }) => ({ id: add, text: add, position }))}
          />
        </ConfiguredMaps>
      </div>
      <p className={css.picked} aria-live="polite">
        {place ? place.add : <Skeleton width="60%" />}
      </p>
    </Dialog>
  )
}
