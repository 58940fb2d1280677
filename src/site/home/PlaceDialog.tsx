import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LatLng, Place } from '~/domain/entities'
import { MapsAsConfigured } from '~/src/features/places/MapsAsConfigured'
import { fetchAddressfromCoords } from '~/src/features/places/places'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { MapView } from '~/src/ui/map/MapView'
import { Skeleton } from '~/src/ui/states'
import css from './PlaceField.module.css'

/** A place by moving the map under a pin. Answers null when it is closed. */
export const PlaceDialog = ({
  title,
  start,
  known,
  onPick,
}: {
  title: string
  start: LatLng | undefined
  /** Saved and recent ones, offered beside the map. */
  known: readonly Place[]
  onPick: (place: Place | null) => void
}) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const [place, setPlace] = useState<Place | null>(null)
  const asked = useRef(0)
  const look = ({ lat, lng }: LatLng) => {
    const question = ++asked.current
    setPlace(null)
    dispatch(fetchAddressfromCoords({ lat, lng, language: i18n.language, quiet: true }))
      .unwrap()
      // A point without an address is still a place.
      .catch(() => `${lat.toFixed(5)}, ${lng.toFixed(5)}`)
      .then((add) => question === asked.current && setPlace({ lat, lng, add }))
  }
  return (
    <Dialog
      title={title}
      onClose={() => onPick(null)}
      actions={
        <Button
          look="primary"
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
        <MapsAsConfigured>
          <MapView
            label={t('choose_on_map')}
            {...(start && { center: { lat: start.lat, lng: start.lng } })}
            zoom={15}
            onPick={look}
            list={known.map(({ add, ...at }) => ({ id: add, text: add, at }))}
          />
        </MapsAsConfigured>
      </div>
      <p className={css.picked} aria-live="polite">
        {place ? place.add : <Skeleton width="60%" />}
      </p>
    </Dialog>
  )
}
