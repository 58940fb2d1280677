import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Address } from './format/address'
import { Icon } from './Icon'
import css from './PlaceMark.module.css'

export type PlaceKind = 'pickup' | 'stop' | 'drop'

/**
 * Draws the mark of a place of a trip, everywhere the same: a ring for the pickup, a diamond for a
 * stop, a pin for the drop-off. Hidden from screen readers, which read the text beside it.
 */
export const PlaceMark = ({ kind, size = 20 }: { kind: PlaceKind; size?: number }) => (
  <span className={css.mark} data-kind={kind}>
    <Icon name={kind === 'drop' ? 'pin' : kind} size={size} />
  </span>
)

/** Shows the name of a place with its mark, which screen readers read as a word. */
export const MarkedPlace = ({
  kind,
  size,
  children,
}: {
  kind: PlaceKind
  size?: number
  children: ReactNode
}) => {
  const { t } = useTranslation()
  return (
    <>
      <PlaceMark kind={kind} {...(size !== undefined && { size })} />
      <span className="visually-hidden">{t(kind)}: </span>
      {children}
    </>
  )
}

const SMALL = 14

/** Shows the pickup above the drop-off of a trip, both with their whole names. */
export const TripEnds = ({ from, to }: { from: string; to: string }) => (
  <span className={css.ends}>
    <span>
      <MarkedPlace kind="pickup" size={SMALL}>
        <Address value={from} />
      </MarkedPlace>
    </span>
    <span>
      <MarkedPlace kind="drop" size={SMALL}>
        <Address value={to} />
      </MarkedPlace>
    </span>
  </span>
)
