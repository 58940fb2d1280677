import { type KeyboardEvent, type ReactNode, use, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton, IconLink } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useModal } from '~/src/ui/dialogs/useModal'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { Neighbors } from './neighbors'
import css from './Panel.module.css'

type Direction = 'previous' | 'next'
const DIRECTIONS: readonly Direction[] = ['previous', 'next']
const KEYS: Record<string, Direction> = { PageUp: 'previous', PageDown: 'next' }

/** The button that opened the record; the record's drawer returns the focus to it. */
let pressed: string | undefined

/** Renders the buttons that open the records before and after. */
const NeighborButtons = ({
  neighbors,
  onMove,
}: {
  neighbors: Partial<Record<Direction, (() => void) | undefined>>
  onMove: (direction: Direction) => void
}) => {
  const { t } = useTranslation()
  return DIRECTIONS.map((direction) => (
    <IconButton
      key={direction}
      label={t(`${direction}_record`)}
      data-direction={direction}
      aria-keyshortcuts={direction === 'next' ? 'Alt+PageDown' : 'Alt+PageUp'}
      // A disabled button would lose the focus at the end of the list.
      aria-disabled={!neighbors[direction]}
      onClick={() => {
        pressed = direction
        onMove(direction)
      }}
    >
      <span className={css.turned} data-direction={direction}>
        <Icon name="up" />
      </span>
    </IconButton>
  ))
}

interface Props {
  title: ReactNode
  /** Also called on Escape and on a click outside. */
  onClose: () => void
  wide?: boolean
  /** Content next to the title. */
  head?: ReactNode
  /** The path of the record's own page, for a record that has one. */
  page?: string
  children: ReactNode
}

/**
 * Renders a full-height drawer at the end side of the page, with the list visible next to it. It
 * uses the browser's own modal dialog.
 */
export const Panel = ({ title, onClose, wide = false, head, page, children }: Props) => {
  const { t } = useTranslation()
  const id = useId()
  const [first] = useState(() => (pressed ? `[data-direction="${pressed}"]` : 'h2'))
  const leave = () => {
    pressed = undefined
    onClose()
  }
  const modal = useModal(leave, first)
  const neighbors = use(Neighbors)
  const move = (direction: Direction) => {
    const open = neighbors?.[direction]
    if (open) confirmLeave(open)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.altKey ? KEYS[event.key] : undefined
    if (!direction || !neighbors) return
    event.preventDefault()
    move(direction)
  }
  return (
    <dialog
      {...modal}
      className={css.panel}
      data-wide={wide || undefined}
      aria-labelledby={id}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        if (!target.matches('h2, [data-direction]')) pressed = undefined
      }}
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) leave()
      }}
    >
      <div className={css.inside}>
        <header className={css.head}>
          <h2 id={id} tabIndex={-1}>
            {title}
          </h2>
          {head}
          {page && (
            <IconLink label={t('open_full_page')} to={page}>
              <Icon name="expand" />
            </IconLink>
          )}
          {neighbors && <NeighborButtons neighbors={neighbors} onMove={move} />}
          <IconButton label={t('close')} onClick={leave}>
            <Icon name="close" />
          </IconButton>
        </header>
        <div className={css.body}>{children}</div>
      </div>
    </dialog>
  )
}
