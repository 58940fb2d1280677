/** A bounded memory of answers: the oldest goes first, nothing is kept longer than `ms`, failures not at all. */
export const remembering = <T>({ entries, ms }: { entries: number; ms: number }) => {
  const known = new Map<string, { until: number; value: Promise<T> }>()
  return (key: string, now: number, ask: () => Promise<T>): Promise<T> => {
    const hit = known.get(key)
    if (hit && hit.until > now) return hit.value
    const value = ask()
    known.delete(key)
    known.set(key, { until: now + ms, value })
    value.catch(() => {
      if (known.get(key)?.value === value) known.delete(key)
    })
    for (const oldest of known.keys()) {
      if (known.size <= entries) break
      known.delete(oldest)
    }
    return value
  }
}
