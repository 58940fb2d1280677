import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import { placeChosen } from '~/src/features/tripPoints/tripPoints'
import { useAppDispatch } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { go } from '~/src/ui/place'
import css from './ProfilePage.module.css'

/** Where one was taken before, most often first; each is a destination with one tap. */
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
                  go(screens.home)
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
