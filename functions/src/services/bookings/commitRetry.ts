import { logRulesConflict } from '../../logs'
import { fail } from '../../domainException'
import type { ClockPort } from '../../ports/clock'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { commit } from './effects'
import type { Effect } from './effects'
import type { PushPort } from '../../ports/push'
import type { RandomPort } from '../../ports/random'

/** Fifty writes may race for one wallet, and each round has one winner. */
const MAX_TRIES = 120
/** Refusals of the same decision before it no longer counts as a race. */
const MAX_SAME_CONFLICTS = 8
/** ms */
const MAX_PAUSE_MS = 400

interface CommitPorts {
  db: DatabasePort
  push: PushPort
  clock: ClockPort
  random: RandomPort
}

/** The result of one attempt. */
export interface Decision<T> {
  /** All data that the decision is based on. */
  stateRead: unknown
  /** ms */
  now: number
  /** The write; absent when it is already done or refused. */
  effect?: Effect | undefined
  result: T
}

/**
 * Reads, decides and writes until the write succeeds. When another caller changed a balance, a
 * revision or a count in the meantime, the write fails with `WriteConflictError` and the next
 * attempt starts from the new value. `decide` reads all the data it needs. It returns no effect
 * when its entry already exists, and throws a refusal. Throws `WriteConflictError` when the rules
 * refuse the same decision repeatedly, which no race explains. `subject` and `event` are for the
 * log.
 */
export const commitWithRetry = async <T>(
  parts: CommitPorts,
  { subject, event }: { subject: string; event: string },
  decide: () => Promise<Decision<T>>,
): Promise<T> => {
  const { clock, random } = parts
  let last = ''
  let same = 0
  for (let tries = 1; ; tries++) {
    const { stateRead, now, effect, result } = await decide()
    try {
      if (effect) await commit(parts, effect, now)
      return result
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
      const state = JSON.stringify(stateRead)
      same = state === last ? same + 1 : 1
      last = state
      if (same >= MAX_SAME_CONFLICTS || tries >= MAX_TRIES) {
        logRulesConflict(subject, event)
        throw error
      }
      // Pauses grow with the number of attempts, so that racing writers spread out.
      await clock.wait(random.integerBetween(0, Math.min(20 * tries, MAX_PAUSE_MS)))
    }
  }
}

/** Does the same for a waiting caller: refuses with changed_meanwhile when it does not succeed. */
export const commitOrFail = async <T>(
  ...args: Parameters<typeof commitWithRetry<T>>
): Promise<T> => {
  try {
    return await commitWithRetry(...args)
  } catch (error) {
    if (error instanceof WriteConflictError) return fail('changed_meanwhile')
    throw error
  }
}
