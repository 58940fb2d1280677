import * as v from 'valibot'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import type { Withdrawal } from '~/domain/money/types'

const withdrawalSchema = createRowSchema<Withdrawal>({
  uid: v.string(),
  amount: v.number(),
  date: v.number(),
})
const compareNewestFirst = (a: Withdrawal, b: Withdrawal) => b.date - a.date

/** Withdrawals, newest first: all for admins, their own for everyone else. */
export const liveWithdrawals = createLiveSlice('withdrawdata', 'withdraws', {
  toQuery: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'withdraws', orderBy: 'key', limitToLast: Math.min(size, 1000) }
      : profile
        ? { path: 'withdraws', orderBy: { child: 'uid' }, equalTo: profile.id, limitToLast: size }
        : null,
  schema: withdrawalSchema,
  order: compareNewestFirst,
})

/**
 * Up to this many pending withdrawals, oldest first; processing them brings up the next. Admins
 * only.
 */
export const pendingWithdrawals = createLiveSlice('waitingwithdraws', 'waiting', {
  toQuery: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? {
          path: 'withdraws',
          orderBy: { child: 'processed' },
          equalTo: false,
          limitToFirst: Math.min(size, 1000),
        }
      : null,
  schema: withdrawalSchema,
  order: compareNewestFirst,
})

/**
 * Requests a withdrawal from the user's own wallet. The same `withdraw_id` again requests nothing
 * more.
 */
export const requestWithdrawal = createServiceThunk<{
  withdraw_id: string
  amount: number
}>('withdrawdata/requestWithdraw', async ({ withdraw_id, amount }, { functions }) => {
  await functions.call('request_withdraw', { withdraw_id, amount })
})
/** Returns an unpaid withdrawal to its owner's wallet. */
export const returnWithdrawal = createServiceThunk<{ withdraw_id: string; note: string }>(
  'withdrawdata/returnWithdraw',
  async (withdrawal, { functions }) => {
    await functions.call('return_withdraw', withdrawal)
  },
)
export const completeWithdrawal = createServiceThunk<Withdrawal>(
  'withdrawdata/completeWithdraw',
  async ({ id }, { functions }) => {
    await functions.call('complete_withdraw', { withdraw_id: id })
  },
)
