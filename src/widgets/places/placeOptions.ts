import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listKnownPlaces } from '~/src/features/places/knownPlaces'
import { fetchAddressfromCoords, type Suggestion } from '~/src/features/places/places'
import type { usePlaceSearch } from '~/src/features/places/usePlaceSearch'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import type { IconName } from '~/src/ui/Icon'
import { loadRecentPlaces } from './recentPlaces'
import type { Place } from '~/domain/geo/types'

/** An entry of the list below a place field. */
export interface Option {
  key: string
  /** The user's name for the place. */
  name?: string | undefined
  text: string
  icon: IconName
  /** True when a dialog asks for the place, so that the text is not its name. */
  isQuestion?: boolean
  choose: () => Promise<Place | null>
}

/** A place with the user's name for it. */
type NamedOption = Place & Pick<Option, 'name'>

export type PlaceSearch = ReturnType<typeof usePlaceSearch>

/** Returns what finds the user's own position, with its address. */
const useMyPosition = (onProblem: (key: string) => void) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  return async (): Promise<Place | null> => {
    const { requestPosition } = await import('~/src/features/gps/gps')
    const position = await dispatch(requestPosition())
    if (!position) {
      onProblem('allow_location')
      return null
    }
    const add = await dispatch(
      fetchAddressfromCoords.quiet({ ...position, language: i18n.language }),
    )
      .unwrap()
      .catch(() => t('my_location'))
    return { ...position, add }
  }
}

/**
 * Returns the user's saved places, and the recent ones that are not among them; none where the
 * places are not the user's own.
 */
export const useKnownPlaces = (areOwn: boolean, isShown: boolean) => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const saved = listKnownPlaces((areOwn && profile) || {}).map(
    // Without the count, which no booking has.
    ({ lat, lng, add, name }): NamedOption => ({ lat, lng, add, name: name && t(`place_${name}`) }),
  )
  // Read once while the list is shown, because a place found by another field would otherwise move
  // its rows.
  const recent = useMemo(() => (areOwn && isShown ? loadRecentPlaces() : []), [areOwn, isShown])
  const others = recent.filter(({ add }) => !saved.some((place) => place.add === add))
  return { saved, others }
}

export const toOption = (suggestion: Suggestion, { fetchPlace }: PlaceSearch): Option => ({
  key: suggestion.place_id,
  text: suggestion.description,
  icon: 'pin',
  choose: () => fetchPlace(suggestion),
})

/**
 * Returns the entries of the list: the result of a search; before it, and while it runs, the known
 * places that match, and other ways to choose a place.
 */
export const usePlaceOptions = (
  search: PlaceSearch,
  typed: string | null,
  { saved, others }: ReturnType<typeof useKnownPlaces>,
  {
    offersPosition,
    extras = [],
    chooseOnMap,
  }: {
    /** True when the user's own position is offered. */
    offersPosition: boolean
    /** Other entries, offered while nothing is typed. */
    extras: Option[] | undefined
    chooseOnMap: Option['choose']
  },
): Option[] => {
  const { t } = useTranslation()
  const choosePosition = useMyPosition(search.setProblem)
  if (search.suggestions)
    return search.suggestions.map((suggestion) => toOption(suggestion, search))
  const words = typed?.trim().toLocaleLowerCase() ?? ''
  const toMatches = (places: NamedOption[], limit: number, icon: IconName) =>
    places
      .filter(({ name, add }) => `${name ?? ''} ${add}`.toLocaleLowerCase().includes(words))
      .slice(0, limit)
      .map(({ name, ...place }): Option => {
        const { add } = place
        return {
          key: `${name ?? ''} ${add}`,
          name,
          text: add,
          icon,
          choose: () => Promise.resolve(place),
        }
      })
  const position: Option = {
    key: 'here',
    text: t('use_my_location'),
    icon: 'dot',
    choose: choosePosition,
  }
  const map: Option = {
    key: 'map',
    text: t('choose_on_map'),
    icon: 'pin',
    isQuestion: true,
    choose: chooseOnMap,
  }
  return [
    ...(offersPosition && !words ? [position] : []),
    ...toMatches(saved, 4, 'star'),
    ...toMatches(others, 3, 'clock'),
    ...(words ? [] : extras),
    map,
  ]
}
