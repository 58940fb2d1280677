import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import css from './LanguageDialog.module.css'
import { chooseLanguage, type LanguageSummary } from './languages'
import { useCurrentLanguage } from './useCurrentLanguage'

/** Lists the languages by loading only their names; the texts load with the chosen one. */
export const LanguageDialog = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { langlist, current, loading, error, retry } = useCurrentLanguage()
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
              variant={language.id === current?.id ? 'primary' : 'outline'}
              aria-pressed={language.id === current?.id}
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
