import * as v from 'valibot'
import type { Withdraw } from '~/domain/entities'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

const row = rowOf<Withdraw>({ uid: v.string(), amount: v.number(), date: v.number() })
const newestFirst = (a: Withdraw, b: Withdraw) => b.date - a.date

/** An admin sees all requests, anybody else his own; newest first. */
export const withdraws = liveSlice('withdrawdata', 'withdraws', {
  at: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'withdraws', orderBy: 'key', limitToLast: Math.min(size, 1000) }
      : profile
        ? { path: 'withdraws', orderBy: { child: 'uid' }, equalTo: profile.id, limitToLast: size }
        : null,
  row,
  order: newestFirst,
})

/** At most so many of those that are not processed, the oldest: when they are, the next come up. Admins only. */
export const waitingWithdraws = liveSlice('waitingwithdraws', 'waiting', {
  at: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? {
          path: 'withdraws',
          orderBy: { child: 'processed' },
          equalTo: false,
          limitToFirst: Math.min(size, 1000),
        }
      : null,
  row,
  order: newestFirst,
})

/** Asks for money out of one's own wallet. The same `withdraw_id` again asks nothing more. */
export const requestWithdraw = operation<{
  withdraw_id: string
  amount: number
  quiet?: boolean
}>('withdrawdata/requestWithdraw', async ({ withdraw_id, amount }, { functions }) => {
  await functions.call('request_withdraw', { withdraw_id, amount })
})
export const completeWithdraw = operation<Withdraw & { quiet?: boolean }>(
  'withdrawdata/completeWithdraw',
  async ({ id }, { functions }) => {
    await functions.call('complete_withdraw', { withdraw_id: id })
  },
)
