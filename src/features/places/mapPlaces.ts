import { useTranslation } from 'react-i18next'
import type { MapListItem } from '~/src/ui/map/MapList'
import type { MarkerKind, MarkerSpec } from '~/src/ui/map/mapPort'
import { useFormat } from '~/src/ui/format/format'
import type { LatLng, Place } from '~/domain/geo/types'

export interface MapPlaces {
  /** Null or missing until chosen. */
  pickup?: Place | null | undefined
  drop?: Place | null | undefined
  waypoints?: readonly Place[] | undefined
  /** The moving car; null or missing when there is none. */
  car?: { at: LatLng; driver?: string | undefined } | null | undefined
}

/** Returns the places of a booking as map markers, and in words for the list beside the map. */
export const useMapPlaces = () => {
  const { t } = useTranslation()
  const format = useFormat()
  return ({
    pickup,
    drop,
    waypoints = [],
    car,
  }: MapPlaces): { markers: MarkerSpec[]; list: MapListItem[] } => {
    const shownPlaces: { id: string; kind: MarkerKind; name: string; at: LatLng; label: string }[] =
      []
    const show = (id: string, kind: MarkerKind, name: string, place: Place | null | undefined) => {
      if (place) shownPlaces.push({ id, kind, name, at: place, label: place.add })
    }
    show('pickup', 'start', t('pickup'), pickup)
    waypoints.forEach((place, index) =>
      show(`stop${index}`, 'stop', `${t('stop')} ${format.number(index + 1)}`, place),
    )
    show('drop', 'end', t('drop'), drop)
    if (car) {
      const label = car.driver || t('driver')
      shownPlaces.push({ id: 'car', kind: 'vehicle', name: t('driver'), at: car.at, label })
    }
    return {
      markers: shownPlaces.map(({ id, kind, at, label }) => ({ id, kind, position: at, label })),
      list: shownPlaces.map(({ id, name, at, label }) => ({
        id,
        text: name,
        detail: label,
        position: at,
      })),
    }
  }
}
