import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './LanguageChoice.module.css'
import { chooseLanguage, languages, type LanguageRow } from './languages'

/** Costs the languages' names; the texts come with the one that is chosen. */
export const LanguageChoice = ({ onClose }: { onClose: () => void }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const { langlist, loading, error, retry } = useLive(languages)
  const choose = ({ langLocale, dateLocale }: LanguageRow) => {
    void dispatch(chooseLanguage({ langLocale, dateLocale }))
    onClose()
  }
  const body = () => {
    if (error.flag)
      return (
        <ErrorState onRetry={retry}>
          {t(error.msg ?? 'something_failed', error.params ?? {})}
        </ErrorState>
      )
    if (loading) return <SkeletonLines lines={4} height="2.75rem" />
    return (
      <ul role="list" className={css.list}>
        {langlist.map((language) => (
          <li key={language.id}>
            <Button
              wide
              look={language.langLocale === i18n.language ? 'primary' : 'outline'}
              aria-pressed={language.langLocale === i18n.language}
              lang={language.langLocale}
              onClick={() => choose(language)}
            >
              {language.langName}
            </Button>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Dialog title={t('choose_language')} onClose={onClose}>
      {body()}
    </Dialog>
  )
}
