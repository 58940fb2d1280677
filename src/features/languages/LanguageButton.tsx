import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'

const LanguageDialog = lazyWithRetry(async () => (await import('./LanguageDialog')).LanguageDialog)

/** Renders a button that opens the language dialog. */
export const LanguageButton = () => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <IconButton label={t('choose_language')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Icon name="globe" />
      </IconButton>
      <Suspense fallback={null}>
        {open && <LanguageDialog onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
