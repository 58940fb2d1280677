import type { Value } from '~/domain/booking/change'
import { PEOPLE, type Who } from './world'

/** A query as a client asks it. */
interface Asked {
  orderBy?: string
  startAt?: string | number
  endAt?: string | number
  equalTo?: string
  limitToFirst?: number
  limitToLast?: number
}

/** One attempt on the world, and whether it must succeed. */
export interface Row {
  who: Who
  does: 'read' | 'set' | 'update' | 'remove'
  /** The place; '' is the root, at which an update names whole paths. */
  at: string
  value?: Value
  asked?: Asked
  allowed: boolean
  because: string
  /** Path → value: what is different from the world before it. */
  given?: Record<string, Value>
}

type Attempt = Omit<Row, 'who' | 'allowed' | 'because'>

/** One place and one deed, tried by everybody: a row for each, allowed exactly for those named. */
export const cell = (attempt: Attempt, allowed: readonly Who[], because: string): Row[] =>
  PEOPLE.map((who) => ({ ...attempt, who, allowed: allowed.includes(who), because }))

/** A story told about one person: what he may do, beside what he may not. */
export const may = (who: Who, attempt: Attempt, because: string): Row => ({
  ...attempt,
  who,
  allowed: true,
  because,
})
export const mayNot = (who: Who, attempt: Attempt, because: string): Row => ({
  ...attempt,
  who,
  allowed: false,
  because,
})

const deeds = { read: 'read', set: 'set', update: 'update', remove: 'remove' } as const
export const titleOf = ({ does, at, asked, allowed, because, value }: Row): string =>
  `${allowed ? 'may' : 'may not'} ${deeds[does]} /${at}${asked ? ` by ${JSON.stringify(asked)}` : ''}${
    does === 'set' || does === 'update' ? ` ${JSON.stringify(value).slice(0, 80)}` : ''
  }: ${because}`
