import { useTranslation } from 'react-i18next'
import { isReapprovalNeeded } from '~/domain/accounts/driverApproval'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Returns true when these changes require a new approval of the driver by the back office. */
export const isReviewRequired = (
  user: User,
  changes: Partial<User>,
  settings: Pick<Settings, 'driver_approval'> | null | undefined,
): boolean => {
  const changed = (Object.keys(changes) as (keyof User)[]).filter(
    (field) => (changes[field] ?? '') !== (user[field] ?? ''),
  )
  return settings?.driver_approval === true && isReapprovalNeeded(user, changed)
}

/** Warns a driver that the change needs approval before they can drive again. */
export const ReviewDialog = ({
  onConfirm,
  onClose,
}: {
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      title={t('review_title')}
      confirm={t('review_do')}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('review_text')}</p>
    </ConfirmDialog>
  )
}
