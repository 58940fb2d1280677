import { toDistanceUnit } from '~/domain/geo/geo'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { useFormatTurn } from '../NavigationMap'
import type { Turn } from '../remainingRoute'
import { useSpokenTurns } from './spokenTurns'
import css from './CurrentBooking.module.css'
import type { Settings } from '~/domain/catalog/types'

/**
 * Degrees of a maneuver's arrow, measured from the right; unknown maneuvers point straight ahead.
 */
const TURN_ARROW_DEGREES: Record<string, number> = {
  'slight-left': -135,
  left: 180,
  'sharp-left': 135,
  'slight-right': -45,
  right: 0,
  'sharp-right': 45,
  'u-turn': 90,
}

/** Shows the next turn of the route: its arrow, its distance and the street. Says it if wanted. */
export const NextTurn = ({ turn, settings }: { turn: Turn; settings: Settings }) => {
  const format = useFormat()
  const turnText = useFormatTurn()
  useSpokenTurns(turn, settings)
  return (
    <p className={css.turn}>
      <span
        className={css.pointer}
        style={{ rotate: `${TURN_ARROW_DEGREES[turn.maneuver] ?? -90}deg` }}
      >
        <Icon name="arrow" size={40} />
      </span>
      <span>
        <strong>{format.distance(toDistanceUnit(turn.km, settings))}</strong>
        {[turnText(turn), turn.street].filter(Boolean).join(' · ')}
      </span>
    </p>
  )
}
