import { createServiceThunk } from './serviceThunk'

const PAGE_SIZE = 500

/**
 * Asks for a fresh sign-in, then returns all records of a collection, newest keys first, fetched
 * page by page. `onProgress` receives the count so far.
 */
export const fetchAllRecords = createServiceThunk<
  {
    path: 'withdraws' | 'notifications' | 'payments' | 'audit'
    onProgress?: (count: number) => void
  },
  { id: string }[]
>('fetchWhole', async ({ path, onProgress }, { database, functions }) => {
  await functions.call('begin_export', { list: path })
  const records: { id: string }[] = []
  let before: string | undefined
  for (;;) {
    const rawRecords = await database.read({
      path,
      orderBy: 'key',
      ...(before && { endBefore: before }),
      limitToLast: PAGE_SIZE,
    })
    const page = Object.entries((rawRecords ?? {}) as Record<string, object>)
      .map(([id, record]) => ({ ...record, id }))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
    records.push(...page)
    onProgress?.(records.length)
    before = page.at(-1)?.id
    if (page.length < PAGE_SIZE) return records
  }
})
