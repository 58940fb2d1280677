/**
 * Every message the product sends, with the parameters its texts may use: names and plain numbers
 * only. They are also keys of a Firebase Cloud Message, which refuses `from`, `message_type` and
 * keys that start with `google` or `gcm`. `MESSAGE_TABLE` says who receives each message.
 */
export const PUSH_PARAMS = {
  booked: ['carType'],
  task: ['carType'],
  accepted: ['driver', 'vehicle'],
  released: [],
  unassigned: [],
  amended: ['changes'],
  share_lowered: ['amount', 'reference'],
  arrived: ['driver'],
  started: ['driver'],
  reached: ['driver'],
  payment_due: ['amount'],
  paid: ['amount'],
  refunded: ['amount'],
  returned: ['amount', 'reference'],
  returned_less_fee: ['amount', 'reference', 'fee'],
  fee_charged: ['amount', 'reference'],
  amendment_charged: ['amount', 'reference'],
  chargeback_won: ['amount'],
  card_refund_started: ['amount'],
  card_refund_failed: ['amount'],
  earned: ['amount'],
  kept_cash: ['amount', 'reference'],
  rated: ['rating'],
  tipped: ['amount', 'reference'],
  cancelled: ['reason'],
  no_driver: [],
  expired: [],
  reminder: ['minutes'],
  wait_question: [],
  recurring_failed: [],
  referral: ['amount'],
  wallet_credited: ['amount'],
  wallet_corrected: ['amount'],
  compensated: ['amount', 'reference', 'reason'],
  taken_back: ['amount', 'reference', 'reason'],
  complaint_refunded: ['amount', 'reference', 'reason'],
  withdraw_processed: ['amount'],
  withdraw_returned: ['amount'],
  bank_changed: [],
  phone_changed: [],
  email_changed: [],
  office_access_given: [],
  office_access_ended: [],
  message: ['sender'],
  coming: ['sender'],
  here: ['sender'],
  email_claimed: [],
  mobile_claimed: [],
  receipt: ['reference'],
  receipt_sent: ['reference'],
  office_message: ['text'],
  driver_message: ['sender', 'text'],
  parcel_sent: ['sender'],
  parcel_cancelled: ['sender'],
  driver_signed_up: ['driver'],
  booking_waits: ['reference'],
  booking_released: ['driver', 'reference'],
  booking_declined: ['reference'],
  fare_lowered: ['reference'],
  payment_review: ['payment'],
  message_budget: ['month'],
  panic: ['sender', 'reference', 'position'],
  help_asked: ['sender', 'reference'],
  help_answered: ['reference'],
} as const satisfies Record<string, readonly string[]>
export type PushName = keyof typeof PUSH_PARAMS

/**
 * The pushes that rider and driver may send to each other. None mentions money or the booking's
 * status, and the server fills in their only parameter. With free text a driver could impersonate
 * the platform.
 */
const PARTY_PUSH_NAMES = ['message', 'coming', 'here'] as const satisfies readonly PushName[]

/** Returns the translation keys of a push. */
export const toPushText = (name: PushName) => ({
  title: `push_${name}_title`,
  msg: `push_${name}_msg`,
})

/** Returns the push of `PARTY_PUSH_NAMES` with this title and message, or undefined. */
export const findPartyPush = (title: string, msg: string) =>
  PARTY_PUSH_NAMES.find((name) => toPushText(name).title === title && toPushText(name).msg === msg)
