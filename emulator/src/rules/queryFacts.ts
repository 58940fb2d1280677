/** The value of `query` in rules. A plain read is ordered by key, without bounds or limits. */
export interface QueryFacts {
  readonly orderByKey: boolean
  readonly orderByPriority: boolean
  readonly orderByValue: boolean
  readonly orderByChild: string | null
  readonly startAt: string | number | boolean | null
  readonly endAt: string | number | boolean | null
  readonly equalTo: string | number | boolean | null
  readonly limitToFirst: number | null
  readonly limitToLast: number | null
}
