/**
 * Every push the business sends, with the parameters its texts may use: names and plain numbers only. They are the keys of a
 * Firebase Cloud Message too, which refuses `from`, `message_type` and what begins with `google` or `gcm`.
 */
export const PUSHES = {
  booked: ['carType'],
  task: ['carType'],
  accepted: ['driver', 'vehicle'],
  arrived: ['driver'],
  started: ['driver'],
  reached: ['driver'],
  payment_due: ['amount'],
  paid: ['amount'],
  earned: ['amount'],
  rated: ['rating'],
  cancelled: ['reason'],
  no_driver: [],
  expired: [],
  reminder: ['minutes'],
  referral: ['amount'],
  wallet_credited: ['amount'],
  withdraw_processed: ['amount'],
  message: ['sender'],
} as const satisfies Record<string, readonly string[]>
export type PushName = keyof typeof PUSHES

/** The translation keys of a push. */
export const pushText = (name: PushName) => ({
  title: `push_${name}_title`,
  msg: `push_${name}_msg`,
})
