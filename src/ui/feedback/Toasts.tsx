import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../controls'
import { Icon } from '../Icon'
import { Link } from '../navigation/router'
import css from './states.module.css'

export interface Toast {
  id: string
  tone: 'success' | 'problem' | 'news'
  /** The translated title of a message, which says what its text is about. */
  title?: string | undefined
  /** The translated text. */
  text: string
  to?: string | undefined
  /** True for a toast that stays until it is removed, as problems do. */
  isLasting?: boolean | undefined
  /** A button on the toast; using it closes the toast. */
  action?: { label: string; run: () => void } | undefined
}
const TOAST_MS = 7000
/** Milliseconds that a toast with an action stays, enough to notice a mistake. */
const ACTION_MS = 20_000

const ToastLine = ({ toast, onDismiss }: { toast: Toast; onDismiss: (id: string) => void }) => {
  const { t } = useTranslation()
  const { action } = toast
  const hasAction = action !== undefined
  const words = (
    <>
      {toast.title && <strong>{toast.title}</strong>} <span>{toast.text}</span>
    </>
  )
  const isLasting = toast.isLasting ?? toast.tone === 'problem'
  useEffect(() => {
    if (isLasting) return
    const timer = setTimeout(() => onDismiss(toast.id), hasAction ? ACTION_MS : TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast.id, isLasting, hasAction, onDismiss])
  return (
    <div className={css.toast}>
      <Icon
        name={toast.tone === 'problem' ? 'warning' : toast.tone === 'success' ? 'check' : 'bell'}
      />
      {toast.to ? (
        <Link to={toast.to} className={css.words} onClick={() => onDismiss(toast.id)}>
          {words}
        </Link>
      ) : (
        <span className={css.words}>{words}</span>
      )}
      {action && (
        <Button
          size="small"
          onClick={() => {
            action.run()
            onDismiss(toast.id)
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={t('close')} onClick={() => onDismiss(toast.id)}>
        <Icon name="close" size={18} />
      </IconButton>
    </div>
  )
}

/** Number of toasts at a time: more would cover the page of a phone. */
const VISIBLE_TOASTS = 2

/** Shows short messages over the page; screen readers announce them politely. Older ones wait. */
export const Toasts = ({
  toasts,
  onDismiss,
}: {
  toasts: Toast[]
  onDismiss: (id: string) => void
}) => (
  <div className={css.toasts} aria-live="polite" role="status">
    {toasts.slice(-VISIBLE_TOASTS).map((toast) => (
      <ToastLine key={toast.id} toast={toast} onDismiss={onDismiss} />
    ))}
  </div>
)
