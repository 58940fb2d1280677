import { useTranslation } from 'react-i18next'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import recurringTexts from '~/src/i18n/locales/en/recurring.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'

/** Confirms that a recurring booking was saved, and leads to the list. */
export const RepeatSavedDialog = ({ onClose }: { onClose: () => void }) => {
  useAddedTexts(recurringTexts)
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('repeat_saved')}
      onClose={onClose}
      actions={
        <ButtonLink variant="primary" size="large" wide to={screenPaths.recurring}>
          {t('repeat_show')}
        </ButtonLink>
      }
    >
      <p>{t('repeat_saved_text')}</p>
    </Dialog>
  )
}
