import type { ReactNode } from 'react'
import { useModal } from './useModal'
import css from './WholeScreenDialog.module.css'

/** Shows its content over the whole screen while mounted, as a modal dialog. */
export const WholeScreenDialog = ({
  label,
  onClose,
  children,
}: {
  label: string
  /** Called on Escape; the content has a button for it too. */
  onClose: () => void
  children: ReactNode
}) => (
  <dialog {...useModal(onClose, '[data-first], button')} className={css.whole} aria-label={label}>
    {children}
  </dialog>
)
