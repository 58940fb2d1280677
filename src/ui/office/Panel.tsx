import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../controls'
import { Icon } from '../Icon'
import { useModal } from '../modal'
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
  const modal = useModal(onClose, 'h2')
  return (
    <dialog
      {...modal}
      className={css.panel}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
    >
      <div className={css.inside}>
        <header className={css.head}>
          <h2 id={id} tabIndex={-1}>
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
