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
