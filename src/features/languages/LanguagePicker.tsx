import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'

const LanguageChoice = lazy(async () => ({
  default: (await import('./LanguageChoice')).LanguageChoice,
}))

/** A button that opens the choice of languages. */
export const LanguagePicker = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t('choose_language')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="globe" />
      </IconButton>
      <Suspense fallback={null}>
        {open && <LanguageChoice onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
