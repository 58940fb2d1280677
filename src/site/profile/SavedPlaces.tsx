import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import { placeChosen } from '~/src/features/bookingPlaces/bookingPlaces'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { navigate } from '~/src/ui/router'
import css from './ProfilePage.module.css'

/** Shows the user's past destinations, most frequent first; one tap makes each the drop-off. */
export const SavedPlaces = ({ profile }: { profile: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const places = Object.entries(profile.savedAddresses ?? {}).sort(
    ([, a], [, b]) => b.count - a.count,
  )
  return (
    <section className={css.form}>
      <h2>{t('saved_places')}</h2>
      {places.length === 0 ? (
        <p>{t('saved_places_none')}</p>
      ) : (
        <ul role="list" className={css.places}>
          {places.map(([key, { description, lat, lng, count }]) => (
            <li key={key}>
              <Icon name="star" />
              <span>
                {description}
                <small>{t('saved_place_count', { count })}</small>
              </span>
              <Button
                size="small"
                onClick={() => {
                  dispatch(placeChosen({ kind: 'drop', place: { lat, lng, add: description } }))
                  navigate(screenPaths.home)
                }}
              >
                {t('saved_place_go')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
