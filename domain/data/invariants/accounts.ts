import { toSortKeyPrefix } from '../../accounts/directory'
import { getRoles } from '../../access/roles'
import {
  findLeftTexts,
  findLoggedWords,
  findPersonalData,
} from '../../accounts/personalDataViolations'
import { findBonusViolations } from '../../bonuses/bonusViolations'
import { calculateAverageRating } from '../../booking/events/rate/run'
import { byOwnKey, type Check, type CheckedData } from './check'

const checkRoles = ({ users, roles: storedRoles = {} }: CheckedData): string[] => {
  const due = getRoles(users)
  return [...new Set([...Object.keys(due), ...Object.keys(storedRoles)])].flatMap((uid) =>
    storedRoles[uid] === due[uid]
      ? []
      : [`roles/${uid} is ${storedRoles[uid] ?? 'missing'}, its record says ${due[uid] ?? 'none'}`],
  )
}

/**
 * Checks that the directory lists every person. Names in it may be older than in the record,
 * because the rules let people change those alone.
 */
const checkDirectory = ({ users, people = {} }: CheckedData): string[] => [
  ...Object.entries(users).flatMap(([uid, { usertype }]) =>
    people[uid]?.usertype === usertype
      ? []
      : [`people/${uid} is ${people[uid]?.usertype ?? 'missing'}, users/${uid} ${usertype}`],
  ),
  ...Object.entries(users)
    .filter(([uid, { usertype }]) => {
      const { sortKey = '' } = people[uid] ?? {}
      return people[uid] && !sortKey.startsWith(toSortKeyPrefix(usertype))
    })
    .map(
      ([uid, { usertype }]) => `people/${uid} has no place among the people of type ${usertype}`,
    ),
  ...Object.keys(people)
    .filter((uid) => !users[uid])
    .map((uid) => `people/${uid} has no record`),
]

const checkRatings = ({ users }: CheckedData): string[] =>
  Object.entries(users).flatMap(([uid, { ratings: storedRatings }]) => {
    if (!storedRatings) return []
    const rates = Object.values(storedRatings.details ?? {}).map(({ rate }) => rate)
    const count = storedRatings.count ?? rates.length
    return storedRatings.userrating === calculateAverageRating(rates) && count === rates.length
      ? []
      : [
          `users/${uid}: rated ${storedRatings.userrating} of ${count}, its ${rates.length} ratings say else`,
        ]
  })

export const ACCOUNT_CHECKS: Record<string, Check> = {
  directory: { groupingKeys: { users: byOwnKey, people: byOwnKey }, find: checkDirectory },
  roles: { groupingKeys: { users: byOwnKey, roles: byOwnKey }, find: checkRoles },
  ratings: { groupingKeys: { users: byOwnKey }, find: checkRatings },
  bonuses: {
    groupingKeys: {
      'internal/pending_bonuses': ({ uid, referred, booking }) => [uid, referred, booking],
      users: byOwnKey,
      bookings: byOwnKey,
    },
    find: findBonusViolations,
  },
}

/** Nothing is left of a deleted account, and no log has a person's words. */
export const PRIVACY_CHECKS: Record<string, Check> = {
  loggedWords: { groupingKeys: { bookings: byOwnKey }, find: findLoggedWords },
  personalData: {
    groupingKeys: {
      bookings: ({ customer, driver }) => [customer, driver],
      closed_accounts: byOwnKey,
    },
    find: findPersonalData,
  },
  texts: {
    groupingKeys: {
      bookings: byOwnKey,
      booking_notes: byOwnKey,
      'internal/help_cases': byOwnKey,
    },
    find: findLeftTexts,
  },
}
