import type { DatabaseValue } from '~/domain/data/databaseValue'
import { TEST_PEOPLE, type TestPerson } from './rulesFixtures'

/** A query as a client sends it. */
interface CaseQuery {
  orderBy?: string
  startAt?: string | number
  endAt?: string | number
  equalTo?: string
  limitToFirst?: number
  limitToLast?: number
}

/** One attempt on the initial data, and whether it must succeed. */
export interface AccessCase {
  who: TestPerson
  does: 'read' | 'set' | 'update' | 'remove'
  /** The path; '' is the root, where the keys of an update are full paths. */
  at: string
  value?: DatabaseValue
  asked?: CaseQuery
  allowed: boolean
  because: string
  /** Values by path that differ from the initial data. */
  given?: Record<string, DatabaseValue>
}

type AttemptedOperation = Omit<AccessCase, 'who' | 'allowed' | 'because'>

/** Returns one row per person for the same attempt, allowed exactly for those listed. */
export const createCases = (
  attempt: AttemptedOperation,
  allowed: readonly TestPerson[],
  because: string,
): AccessCase[] =>
  TEST_PEOPLE.map((who) => ({ ...attempt, who, allowed: allowed.includes(who), because }))

/** Returns one row that allows a person's attempt; `deny` returns its counterpart. */
export const allow = (
  who: TestPerson,
  attempt: AttemptedOperation,
  because: string,
): AccessCase => ({
  ...attempt,
  who,
  allowed: true,
  because,
})
export const deny = (
  who: TestPerson,
  attempt: AttemptedOperation,
  because: string,
): AccessCase => ({
  ...attempt,
  who,
  allowed: false,
  because,
})

const OPERATION_NAMES = { read: 'read', set: 'set', update: 'update', remove: 'remove' } as const
export const getTitle = ({ does, at, asked, allowed, because, value }: AccessCase): string =>
  `${allowed ? 'may' : 'may not'} ${OPERATION_NAMES[does]} /${at}${asked ? ` by ${JSON.stringify(asked)}` : ''}${
    does === 'set' || does === 'update' ? ` ${JSON.stringify(value).slice(0, 80)}` : ''
  }: ${because}`
