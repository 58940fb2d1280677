import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../controls'
import css from './Dialog.module.css'
import { Icon } from '../Icon'
import { useModal } from './useModal'
import { useSingleRun } from '../useSingleRun'

/**
 * Shows a modal dialog while mounted. It uses the browser's own dialog, which traps the focus and
 * restores it.
 */
export const Dialog = ({
  title,
  onClose,
  children,
  problem,
  actions,
  wide,
}: {
  title: ReactNode
  /** Also called on Escape. When absent, the user must choose an answer. */
  onClose?: () => void
  children?: ReactNode
  /** The problem that stopped an action. It stays beside the buttons however long the dialog is. */
  problem?: ReactNode
  actions?: ReactNode
  /** True for a table, which needs the width of the screen. */
  wide?: boolean
}) => {
  const { t } = useTranslation()
  const id = useId()
  // The browser ignores React's autoFocus.
  const modal = useModal(onClose, '[data-first]')
  return (
    <dialog {...modal} className={css.dialog} data-wide={wide} aria-labelledby={id}>
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
        {actions && (
          <div className={css.foot}>
            {problem}
            {actions}
          </div>
        )}
      </div>
    </dialog>
  )
}

/**
 * Asks for confirmation of an action that cannot be undone. Stays open and busy until `onConfirm`
 * settles.
 */
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
  /** The label of the button: it names the action instead of “OK”. */
  confirm: ReactNode
  danger?: boolean
  /** True while the choices are still loading. */
  waiting?: boolean
  onConfirm: () => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { busy, run } = useSingleRun({ isLast: true })
  const runConfirm = () =>
    // The caller shows the refusal.
    void run(() => onConfirm().then(onClose)).catch(() => undefined)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button
            variant={danger ? 'danger' : 'primary'}
            busy={busy || waiting}
            onClick={runConfirm}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
