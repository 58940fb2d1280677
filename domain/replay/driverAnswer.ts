import { fnv1a } from '../data/fnv1a'
import { createSeededRandom } from '../data/seededRandom'
import type { DriverBehavior } from './scenario'
import type { Seconds } from '../language/units'

type Decision = 'accept' | 'decline' | 'none'

/**
 * Draws a driver's answer. It depends only on the seed, the booking, the driver and how often they
 * were asked, so two policies that ask the same thing get the same answer.
 */
export const drawAnswer = (
  seed: number,
  key: string,
  eta_s: Seconds,
  behavior: DriverBehavior,
): { decision: Decision; seconds: Seconds } => {
  const random = createSeededRandom(fnv1a(`${seed} ${key}`))
  const minutes = eta_s / 60
  const share = Math.max(
    behavior.leastAcceptShare,
    behavior.acceptShare - behavior.acceptLossPerMinute * minutes,
  )
  const { leastAnswerSeconds: least, mostAnswerSeconds: most } = behavior
  const seconds = least + (most - least) * random.next() + behavior.answerSecondsPerMinute * minutes
  const decision: Decision = random.chance(share)
    ? 'accept'
    : random.chance(behavior.declineShare)
      ? 'decline'
      : 'none'
  return { decision, seconds }
}
