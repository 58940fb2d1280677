import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { BANK_FIELDS } from '~/domain/accounts/types'
import { fail } from '../../domainException'
import { OTHER_LIMITS } from '../limitTable'
import { isOverDailyLimit, returnToDay } from '../rateLimits'
import type { UserRequestContext } from '../../ports/requestContext'

/** The changes of a person's own data that are limited, because each one sends warnings. */
const LIMITED_CHANGES = [
  { limits: OTHER_LIMITS.emailChanges, fields: ['email'] },
  { limits: OTHER_LIMITS.mobileChanges, fields: ['mobile'] },
  { limits: OTHER_LIMITS.bankChanges, fields: BANK_FIELDS },
] as const

/**
 * Counts a person's change of their own fields, and runs `write`. A change that is refused or fails
 * does not count. Refused: too_many_changes at the field, with the minutes until the next day.
 */
export const withinChangeLimits = async <Written>(
  { db, now, actor }: Pick<UserRequestContext, 'db' | 'now' | 'actor'>,
  names: readonly string[],
  write: () => Promise<Written>,
): Promise<Written> => {
  const call = { caller: actor.uid, now }
  const changes = LIMITED_CHANGES.flatMap(({ limits, fields }) => {
    const field = fields.find((one) => names.includes(one))
    return field === undefined ? [] : [{ limits, field }]
  })
  const counted: (typeof changes)[number]['limits'][] = []
  try {
    for (const { limits, field } of changes) {
      counted.push(limits)
      if (await isOverDailyLimit(db, limits, call))
        fail('too_many_changes', field, {
          minutes: Math.ceil((DAY_MS - (now % DAY_MS)) / MINUTE_MS),
        })
    }
    return await write()
  } catch (error) {
    for (const limits of counted) await returnToDay(db, limits, call)
    throw error
  }
}
