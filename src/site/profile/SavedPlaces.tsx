import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type NamedPlace, NAMED_PLACES } from '~/domain/accounts/namedPlaces'
import { placeChosen } from '~/src/features/bookingPlaces/bookingPlaces'
import { listKnownPlaces } from '~/src/features/places/knownPlaces'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { Address } from '~/src/ui/format/address'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { navigate } from '~/src/ui/navigation/router'
import css from './ProfilePage.module.css'
import type { Place } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

const NamedPlaceDialog = lazyWithRetry(
  async () => (await import('./NamedPlaceDialog')).NamedPlaceDialog,
)

const BookHereButton = ({ place: { lat, lng, add } }: { place: Place }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <Button
      size="small"
      onClick={() => {
        dispatch(placeChosen({ kind: 'drop', place: { lat, lng, add } }))
        navigate(screenPaths.home)
      }}
    >
      {t('saved_place_go')}
    </Button>
  )
}

/** Shows home and work, and the past drop-offs; one tap makes each the drop-off. */
export const SavedPlaces = ({ profile }: { profile: User }) => {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<NamedPlace | null>(null)
  const places = listKnownPlaces(profile)
  const find = (placeName: NamedPlace) => places.find(({ name }) => name === placeName) ?? null
  const visited = places.filter(({ name }) => !name)
  return (
    <section className={css.form}>
      <h2>{t('saved_places')}</h2>
      <ul role="list" className={css.places}>
        {NAMED_PLACES.map((name) => {
          const place = find(name)
          const label = t(`place_${name}`)
          const edit = t(place ? 'edit' : 'place_add')
          return (
            <li key={name}>
              <Icon name={name === 'home' ? 'home' : 'pin'} />
              <span>
                <strong>{label}</strong>
                <small>{place ? <Address value={place.add} /> : t('place_unset')}</small>
              </span>
              <Button
                size="small"
                variant="quiet"
                aria-label={`${edit}: ${label}`}
                onClick={() => setEdited(name)}
              >
                {edit}
              </Button>
              {place && <BookHereButton place={place} />}
            </li>
          )
        })}
        {visited.map((place, index) => (
          <li key={index}>
            <Icon name="star" />
            <span>
              <Address value={place.add} />
              <small>{t('saved_place_count', { count: place.count })}</small>
            </span>
            <BookHereButton place={place} />
          </li>
        ))}
      </ul>
      {visited.length === 0 && <p>{t('saved_places_none')}</p>}
      {edited && (
        <Suspense fallback={null}>
          <NamedPlaceDialog name={edited} saved={find(edited)} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </section>
  )
}
