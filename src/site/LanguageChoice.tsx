import { useTranslation } from 'react-i18next'
import { updateProfile } from '~/src/features/auth/operations'
import { useLanguageNames } from '~/src/features/languages/names'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { chooseLocale } from '~/src/ui/language'
import { SkeletonLines } from '~/src/ui/states'
import css from './LanguagePicker.module.css'

/** Costs the languages' names; the texts come with the one that is chosen. */
export const LanguageChoice = ({ onClose }: { onClose: () => void }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const { names, loading } = useLanguageNames()
  const choose = (langLocale: string, dateLocale: string) => {
    chooseLocale(langLocale)
    if (profile)
      void dispatch(
        updateProfile({ uid: profile.id, changes: { lang: { langLocale, dateLocale } } }),
      )
    onClose()
  }
  return (
    <Dialog title={t('choose_language')} onClose={onClose}>
      {loading && names.length === 0 ? (
        <SkeletonLines lines={4} height="2.75rem" />
      ) : (
        <ul role="list" className={css.list}>
          {names.map(({ id, langName, langLocale, dateLocale }) => (
            <li key={id}>
              <Button
                wide
                look={langLocale === i18n.language ? 'primary' : 'outline'}
                aria-pressed={langLocale === i18n.language}
                lang={langLocale}
                onClick={() => choose(langLocale, dateLocale)}
              >
                {langName}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
