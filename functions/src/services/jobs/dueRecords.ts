import type { DatabasePort } from '../../ports/database'

interface DueQuery<Row> {
  path: string
  /** The field with the due time. */
  by: keyof Row & string
  now: number
  /** Records of a page. */
  size: number
}

/**
 * Yields the records of a list that are due, a page at a time, the longest due first. Each record
 * comes once at one due time.
 */
export const iterateDue = async function* <Row extends object>(
  db: DatabasePort,
  { path, by, now, size }: DueQuery<Row>,
): AsyncGenerator<[string, Row][]> {
  // Records without a due time sort before 1.
  let start: Pick<Parameters<DatabasePort['list']>[1], 'startAt' | 'afterKey' | 'afterValue'> = {
    startAt: 1,
  }
  for (;;) {
    const page = await db.list<Row>(path, { by, endAt: now, first: size, ...start })
    yield page
    const [afterKey, last] = page.at(-1) ?? []
    const afterValue = last?.[by]
    if (page.length < size || afterKey === undefined || typeof afterValue !== 'number') return
    start = { afterKey, afterValue }
  }
}
