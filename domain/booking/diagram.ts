import { STATUSES } from '../entities'
import { rolesIn } from './party'
import { BOOKING_EVENTS, TRANSITIONS, type Transition } from './transitions'

/** The transition table as a Mermaid state diagram, for the README. Ends with a line feed. */
export const diagram = (): string => {
  const lines = BOOKING_EVENTS.flatMap((event) => {
    const { from, to, by }: Transition = TRANSITIONS[event]
    return from.flatMap((source) =>
      to
        .filter((target) => leads(event, source, target))
        .map(
          (target) =>
            `  ${source === 'none' ? '[*]' : source} --> ${target}: ${event} (${(source === 'none' ? by : rolesIn(event, source)).join(', ')})`,
        ),
    )
  })
  const ends = STATUSES.filter((s) => s === 'COMPLETE' || s === 'CANCELLED')
  return ['stateDiagram-v2', ...lines, ...ends.map((s) => `  ${s} --> [*]`), ''].join('\n')
}

/** `pay` is the one event whose end depends on where it began. */
const leads = (event: string, source: string, target: string): boolean =>
  event !== 'pay' || (source === 'PENDING') === (target === 'PAID')
