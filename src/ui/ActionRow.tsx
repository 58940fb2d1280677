import type { ReactNode } from 'react'
import css from './ActionRow.module.css'

/** Renders up to four links or buttons side by side, each with an icon above its label. */
export const ActionRow = ({ children }: { children: ReactNode }) => (
  <div className={css.row}>{children}</div>
)
