import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { updateProfile } from '~/src/features/auth/operations'
import { useLanguageNames } from '~/src/features/languages/names'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button, IconButton } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Icon } from '~/src/ui/Icon'
import { chooseLocale } from '~/src/ui/language'
import { SkeletonLines } from '~/src/ui/states'
import css from './frame.module.css'

const Choice = ({ onClose }: { onClose: () => void }) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectUid)
  const { names, loading } = useLanguageNames()
  const choose = (langLocale: string, dateLocale: string) => {
    chooseLocale(langLocale)
    if (uid) void dispatch(updateProfile({ uid, changes: { lang: { langLocale, dateLocale } } }))
    onClose()
  }
  return (
    <Dialog title={t('language')} onClose={onClose}>
      {loading && names.length === 0 ? (
        <SkeletonLines lines={4} height="2.75rem" />
      ) : (
        <div className={css.languages}>
          {names.map(({ id, langName, langLocale, dateLocale }) => (
            <Button
              key={id}
              wide
              look={langLocale === i18n.language ? 'primary' : 'outline'}
              aria-pressed={langLocale === i18n.language}
              lang={langLocale}
              onClick={() => choose(langLocale, dateLocale)}
            >
              {langName}
            </Button>
          ))}
        </div>
      )}
    </Dialog>
  )
}

/** Costs the languages' names; the texts come with the one that is chosen. */
export const LanguageButton = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t('language')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="globe" />
      </IconButton>
      {open && <Choice onClose={() => setOpen(false)} />}
    </>
  )
}
