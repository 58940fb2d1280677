import type { CSSProperties, ReactNode } from 'react'
import css from './StatusChip.module.css'

export type Tone = 'muted' | 'news' | 'warning' | 'success' | 'danger' | 'primary'

/** Shows a status as one word, never by color alone. */
export const StatusChip = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={css.chip} style={{ '--tone': `var(--${tone})` } as CSSProperties}>
    {children}
  </span>
)
