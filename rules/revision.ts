/**
 * Compare-and-set for the database: of two changes from the same state, the whole second one is
 * refused, because both would write the same next revision.
 */
import { all, integerRule, withWriteCondition, type Condition } from './ruleBuilders'
import { isServer } from './requester'

/** A record's revision. Only a function can change it, and only to the next number. */
export const revisionRule = withWriteCondition(
  all(isServer, 'newData.val() === data.val() + 1'),
  integerRule(1, 1e9),
)

/**
 * Holds when the write raises the revision of the record `depth` keys up. The revision's own rule
 * checks the writer and the exact next number in the same update, so this condition does not.
 */
export const isRevisionRaised = (depth: number): Condition => {
  const value = `${'.parent()'.repeat(depth)}.child('revision').val()`
  return `newData${value} > data${value}`
}
