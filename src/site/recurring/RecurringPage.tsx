import { useTranslation } from 'react-i18next'
import recurringTexts from '~/src/i18n/locales/en/recurring.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { SeriesList } from '~/src/widgets/series/SeriesList'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import css from './RecurringPage.module.css'

/** Lists the rider's recurring bookings. */
export const RecurringPage = () => {
  useAddedTexts(recurringTexts)
  const { t } = useTranslation()
  return (
    <div className={css.page}>
      <h1>{t('menu_recurring')}</h1>
      <SeriesList
        form={{ remembersPlaces: true }}
        emptyAction={
          <ButtonLink variant="primary" to={screenPaths.home}>
            {t('book_one')}
          </ButtonLink>
        }
      />
    </div>
  )
}
