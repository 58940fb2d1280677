import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../controls'
import { Icon } from '../Icon'
import css from './Panel.module.css'

/** A drawer at the page's end that keeps the list beside it in sight: the browser's own modal, at full height. */
export const Panel = ({
  title,
  onClose,
  wide = false,
  head,
  children,
}: {
  title: ReactNode
  /** Also by Escape and by a click beside it. */
  onClose: () => void
  wide?: boolean
  /** Beside the title. */
  head?: ReactNode
  children: ReactNode
}) => {
  const { t } = useTranslation()
  const id = useId()
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const dialog = ref.current
    // jsdom has no showModal; there the panel is simply open.
    if (dialog?.showModal) dialog.showModal()
    else dialog?.setAttribute('open', '')
    // The browser would begin at the way out.
    heading.current?.focus()
    return () => dialog?.close?.()
  }, [])
  return (
    <dialog
      ref={ref}
      className={css.panel}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={css.inside}>
        <header className={css.head}>
          <h2 id={id} ref={heading} tabIndex={-1}>
            {title}
          </h2>
          {head}
          <IconButton label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </IconButton>
        </header>
        <div className={css.body}>{children}</div>
      </div>
    </dialog>
  )
}
