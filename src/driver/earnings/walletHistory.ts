import { useMemo } from 'react'
import { DAY_MS } from '~/domain/language/timeUnits'
import { MAX_WALLET_ENTRIES, walletEntries } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import type { User } from '~/domain/accounts/types'

/**
 * Returns the user's own wallet entries by key: those of at least the last `days` days, or the
 * newest ones. `isWhole` is false when older entries exist that were not read. The query changes
 * once a day only.
 */
export const useWalletHistory = (
  now: number,
  days?: number,
): { history: NonNullable<User['walletHistory']>; loading: boolean; isWhole: boolean } => {
  const since = days === undefined ? 0 : (Math.floor(now / DAY_MS) - days) * DAY_MS
  const { entries, loading } = useLive(walletEntries, since)
  const history = useMemo(
    () => Object.fromEntries(entries.map(({ id, ...entry }) => [id, entry])),
    [entries],
  )
  return { history, loading, isWhole: entries.length < MAX_WALLET_ENTRIES }
}
