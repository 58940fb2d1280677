import { operation } from './operation'

const PAGE = 500

/** Every record of a collection, the newest keys first, fetched page by page; `onProgress` is told how many so far. */
export const fetchWhole = operation<
  {
    path: 'withdraws' | 'notifications' | 'payments' | 'audit'
    onProgress?: (count: number) => void
  },
  { id: string }[]
>('fetchWhole', async ({ path, onProgress }, { database }) => {
  const records: { id: string }[] = []
  let before: string | undefined
  for (;;) {
    const found = await database.once({
      path,
      orderBy: 'key',
      ...(before && { endBefore: before }),
      limitToLast: PAGE,
    })
    const page = Object.entries((found ?? {}) as Record<string, object>)
      .map(([id, record]) => ({ ...record, id }))
      .sort((a, b) => (a.id < b.id ? 1 : -1))
    records.push(...page)
    onProgress?.(records.length)
    before = page.at(-1)?.id
    if (page.length < PAGE) return records
  }
})
