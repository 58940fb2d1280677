import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './LanguageDialog.module.css'
import { chooseLanguage, languages, type LanguageSummary } from './languages'

/** Lists the languages by loading only their names; the texts load with the chosen one. */
export const LanguageDialog = ({ onClose }: { onClose: () => void }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const { langlist, loading, error, retry } = useLive(languages)
  const choose = ({ langLocale, dateLocale }: LanguageSummary) => {
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
              variant={language.langLocale === i18n.language ? 'primary' : 'outline'}
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
