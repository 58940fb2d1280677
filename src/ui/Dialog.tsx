import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from './controls'
import css from './Dialog.module.css'
import { Icon } from './Icon'
import { useModal } from './modal'

/** A modal dialog while it is mounted: the browser's own, which keeps the focus in and gives it back. */
export const Dialog = ({
  title,
  onClose,
  children,
  actions,
}: {
  title: ReactNode
  /** Also by Escape. Absent: it can only be answered. */
  onClose?: () => void
  children?: ReactNode
  actions?: ReactNode
}) => {
  const { t } = useTranslation()
  const id = useId()
  // The browser heeds no autoFocus of React's.
  const modal = useModal(onClose, '[data-first]')
  return (
    <dialog {...modal} className={css.dialog} aria-labelledby={id}>
      <div className={css.inside}>
        <div className={css.head}>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <IconButton label={t('close')} onClick={onClose}>
              <Icon name="close" />
            </IconButton>
          )}
        </div>
        {children}
        {actions && <div className={css.foot}>{actions}</div>}
      </div>
    </dialog>
  )
}

/** Asks once more before what can't be undone. Stays open, busy, until `onConfirm` is done. */
export const ConfirmDialog = ({
  title,
  children,
  confirm,
  danger,
  waiting,
  onConfirm,
  onClose,
}: {
  title: ReactNode
  children?: ReactNode
  /** The words on the button: what happens, not “OK”. */
  confirm: ReactNode
  danger?: boolean
  /** What has to be chosen is still on its way. */
  waiting?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const go = () => {
    setBusy(true)
    onConfirm().then(onClose, () => setBusy(false))
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button look={danger ? 'danger' : 'primary'} busy={busy || waiting} onClick={go}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
