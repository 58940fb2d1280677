import type { UnknownAction } from '@reduxjs/toolkit'
import { useTranslation } from 'react-i18next'
import {
  type BookingPlaces,
  listPlaces,
  placeFound,
} from '~/src/features/bookingPlaces/bookingPlaces'
import { useFormat } from '~/src/ui/format/format'
import type { Place } from '~/domain/geo/types'

export interface PlaceFieldsOptions {
  places: BookingPlaces
  changePlaces: (action: UnknownAction) => unknown
  /** Returns the translated error of a field: an end, or `stop0` with the index of a stop. */
  errorAt: (field: string) => string | undefined
  /** Receives the running lookup of a chosen place and its slot; saving waits until it settles. */
  trackLookup: (lookup: Promise<unknown>, slot: number) => void
}

/**
 * Returns the places of a trip in its order, each with the props of its field. The index of a stop
 * is null at the ends.
 */
export const usePlaceFields = ({
  places,
  changePlaces,
  errorAt,
  trackLookup,
}: PlaceFieldsOptions) => {
  const { t } = useTranslation()
  const format = useFormat()
  return listPlaces(places).map(({ slot, kind, field, stop, place, near }) => ({
    slot,
    kind,
    stop,
    props: {
      label: stop === null ? t(field) : `${t('stop')} ${format.number(stop + 1)}`,
      value: place?.add ? place : null,
      error: errorAt(field),
      near: near ?? undefined,
      onChange: (chosenPlace: Place | null) =>
        changePlaces(placeFound({ slot, place: chosenPlace })),
      onLookup: (lookup: Promise<unknown>) => trackLookup(lookup, slot),
    },
  }))
}
