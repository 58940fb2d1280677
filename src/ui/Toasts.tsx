import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './controls'
import { Icon } from './Icon'
import { Link } from './place'
import css from './states.module.css'

export interface Toast {
  id: string
  tone: 'success' | 'problem' | 'news'
  /** Already translated. */
  text: string
  to?: string | undefined
}
const TOAST_MS = 7000

const ToastLine = ({ toast, onDismiss }: { toast: Toast; onDismiss: (id: string) => void }) => {
  const { t } = useTranslation()
  useEffect(() => {
    // What went wrong stays until it is read.
    if (toast.tone === 'problem') return
    const timer = setTimeout(() => onDismiss(toast.id), TOAST_MS)
    return () => clearTimeout(timer)
  }, [toast.id, toast.tone, onDismiss])
  return (
    <div className={css.toast}>
      <Icon
        name={toast.tone === 'problem' ? 'warning' : toast.tone === 'success' ? 'check' : 'bell'}
      />
      {toast.to ? (
        <Link to={toast.to} onClick={() => onDismiss(toast.id)}>
          {toast.text}
        </Link>
      ) : (
        <span>{toast.text}</span>
      )}
      <IconButton label={t('close')} onClick={() => onDismiss(toast.id)}>
        <Icon name="close" size={18} />
      </IconButton>
    </div>
  )
}

/** Short messages over the page, read out politely. */
export const Toasts = ({
  toasts,
  onDismiss,
}: {
  toasts: Toast[]
  onDismiss: (id: string) => void
}) => (
  <div className={css.toasts} aria-live="polite" role="status">
    {toasts.map((toast) => (
      <ToastLine key={toast.id} toast={toast} onDismiss={onDismiss} />
    ))}
  </div>
)
