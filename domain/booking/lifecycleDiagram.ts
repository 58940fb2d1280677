import { BOOKING_EVENTS, getDefinition, isTransitionAllowed } from './transitions'
import { STATUSES } from './types'

/**
 * Returns the transition table as a Mermaid state diagram for the README, with a trailing line
 * feed.
 */
export const renderLifecycleDiagram = (): string => {
  const lines = BOOKING_EVENTS.flatMap((event) => {
    const { from, to, by } = getDefinition(event)
    return from.flatMap((source) =>
      to
        .filter((target) => isTransitionAllowed(event, source, target))
        .map(
          (target) =>
            `  ${source === 'none' ? '[*]' : source} --> ${target}: ${event} (${by.join(', ')})`,
        ),
    )
  })
  const ends = STATUSES.filter((s) => s === 'COMPLETE' || s === 'CANCELLED')
  return ['stateDiagram-v2', ...lines, ...ends.map((s) => `  ${s} --> [*]`), ''].join('\n')
}
