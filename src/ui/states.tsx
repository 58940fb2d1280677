import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { Button, IconButton } from './controls'
import { Icon } from './Icon'
import css from './states.module.css'

/** Nothing here yet, and what to do about it. */
export const EmptyState = ({
  title,
  children,
  action,
}: {
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) => (
  <div className={css.state}>
    <svg
      className={css.art}
      width="132"
      height="72"
      viewBox="0 0 132 72"
      fill="none"
      aria-hidden="true"
    >
      <path d="M6 58h120" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path
        d="M14 66h14m12 0h14m12 0h14m12 0h14"
        stroke="var(--accent)"
        strokeWidth="4"
        strokeLinecap="round"
      />
      <path
        d="M98 58V22m0 0h22v16H98"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinejoin="round"
      />
      <path
        d="M34 58V34l9-8h22l9 8v24"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinejoin="round"
        strokeDasharray="5 6"
      />
    </svg>
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {action}
  </div>
)

/** Something failed; `onRetry` tries again. */
export const ErrorState = ({
  children,
  onRetry,
}: {
  children: ReactNode
  onRetry?: () => void
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.state} role="alert">
      <Icon name="warning" size={40} />
      <h2>{t('something_failed')}</h2>
      <p>{children}</p>
      {onRetry && <Button onClick={onRetry}>{t('try_again')}</Button>}
    </div>
  )
}

/** The shape of what is coming. */
export const Skeleton = ({
  width = '100%',
  height = '1rem',
}: {
  width?: string
  height?: string
}) => <span className={css.skeleton} style={{ width, height }} aria-hidden="true" />

export const SkeletonLines = ({
  lines = 4,
  height = '3.25rem',
}: {
  lines?: number
  height?: string
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.lines} role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={height} />
      ))}
    </div>
  )
}

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
