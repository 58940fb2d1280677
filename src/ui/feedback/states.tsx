import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './states.module.css'

/** Shows that a list or page is empty, with the next step. */
export const EmptyState = ({
  title,
  level: Title = 'h2',
  children,
  action,
}: {
  title: ReactNode
  /** Use h1 when the page has no other content. */
  level?: 'h1' | 'h2'
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
    <Title>{title}</Title>
    {children && <p>{children}</p>}
    {action}
  </div>
)

/** Shows placeholders in the shape of the content while it loads. */
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
