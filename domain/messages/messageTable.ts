/**
 * The table that decides who receives which message by which channels. Functions, the settings page
 * and docs/messages.md read it.
 */
import { toPushText, type PushName } from '../booking/pushMessages'
import type { Settings } from '../catalog/types'
import type { AppScreen } from './types'
import type { Minutes } from '../language/units'

/** The channels that leave the platform. Each message is sent once by each of its channels. */
export const OUTSIDE_CHANNELS = ['sms', 'email'] as const
export type OutsideChannel = (typeof OUTSIDE_CHANNELS)[number]

/**
 * The people whom a message addresses. A guest is a rider for whom the office booked. A recipient
 * has no account. `account` is the owner of an account of any type.
 */
export const AUDIENCES = ['rider', 'guest', 'recipient', 'driver', 'account', 'office'] as const
export type Audience = (typeof AUDIENCES)[number]

/**
 * `fallback` sends only to people without a device that receives pushes; `always` sends to
 * everyone.
 */
export type Delivery = 'fallback' | 'always'

export interface MessageRow {
  /**
   * The screen that the push and the inbox entry open. Every message with a screen goes to the
   * inbox and to all devices.
   */
  screen?: AppScreen
  sms?: Delivery
  email?: Delivery
  /** The office's pages show it with this sound; an alarm repeats until an admin takes care. */
  alert?: 'chime' | 'alarm'
  /** True when the text ends with a link to the booking's tracking page. */
  hasLink?: true
  /** Minutes after which a message that leaves the platform is not worth sending. */
  lifetimeMinutes?: Minutes
  /** True for a message of a trip under way, which quiet hours do not delay. */
  urgent?: true
  /**
   * True for a warning about an account. Neither the limits of other messages, the budget and the
   * lists of domains nor the office's switches stop it, because a thief could use them.
   */
  isWarning?: true
  /** True for a warning that only an admin causes, whose SMS goes to every country. */
  isByOffice?: true
  /**
   * True for an emergency, and for the one message a month about the budget. Neither limits nor the
   * budget stop it.
   */
  isUnlimited?: true
  /** True for a message that a person can turn off and that the office's budget can stop. */
  optional?: true
}

const inApp = <Screen extends AppScreen>(screen: Screen) => ({ screen })
const optionalInApp = <Screen extends AppScreen>(screen: Screen) =>
  ({ screen, optional: true }) as const
/** A row for people who may not have the app. */
const inAppOrSms = <Screen extends AppScreen>(screen: Screen, lifetimeMinutes: Minutes) =>
  ({ screen, sms: 'fallback', lifetimeMinutes, urgent: true }) as const

/** A message that warns a person of a change of their account. */
const WARNING = {
  sms: 'always',
  email: 'always',
  lifetimeMinutes: 3 * 1440,
  urgent: true,
  isWarning: true,
} as const

/** A row for the office: on its pages, to its e-mail address, and to its phone if it has one. */
const toOffice = (lifetimeMinutes: Minutes) =>
  ({ alert: 'chime', sms: 'always', email: 'always', lifetimeMinutes }) as const

export const MESSAGE_TABLE = {
  booked: { guest: { ...inAppOrSms('BookedCab', 60), hasLink: true, optional: true } },
  task: { driver: inApp('DriverTrips') },
  accepted: {
    rider: { ...inAppOrSms('BookedCab', 30), hasLink: true },
    guest: { ...inAppOrSms('BookedCab', 30), hasLink: true },
  },
  released: {
    rider: { ...inAppOrSms('BookedCab', 30), hasLink: true },
    guest: { ...inAppOrSms('BookedCab', 30), hasLink: true },
  },
  unassigned: { driver: inApp('DriverTrips') },
  amended: {
    rider: inApp('BookedCab'),
    guest: inApp('BookedCab'),
    driver: inApp('DriverTrips'),
  },
  share_lowered: { driver: inApp('DriverTrips') },
  arrived: { rider: inAppOrSms('BookedCab', 15), guest: inAppOrSms('BookedCab', 15) },
  started: { rider: optionalInApp('BookedCab'), guest: optionalInApp('BookedCab') },
  reached: { rider: optionalInApp('BookedCab'), guest: optionalInApp('BookedCab') },
  payment_due: { rider: inApp('BookedCab'), guest: inApp('BookedCab') },
  paid: { rider: optionalInApp('BookedCab'), guest: optionalInApp('BookedCab') },
  receipt: {
    rider: { email: 'always', lifetimeMinutes: 3 * 1440, optional: true },
    guest: { email: 'always', lifetimeMinutes: 3 * 1440, optional: true },
  },
  // The office sends it again, so it is not optional.
  receipt_sent: {
    rider: { ...inApp('BookedCab'), email: 'always', lifetimeMinutes: 3 * 1440 },
    guest: { ...inApp('BookedCab'), email: 'always', lifetimeMinutes: 3 * 1440 },
  },
  refunded: {
    rider: inApp('BookedCab'),
    guest: inApp('BookedCab'),
    account: inApp('Wallet'),
  },
  chargeback_won: {
    rider: inApp('BookedCab'),
    guest: inApp('BookedCab'),
    account: inApp('Wallet'),
  },
  card_refund_started: { account: inApp('Wallet') },
  card_refund_failed: { account: inApp('Wallet') },
  returned: { rider: inApp('Wallet'), guest: inApp('Wallet') },
  returned_less_fee: { rider: inApp('Wallet'), guest: inApp('Wallet') },
  fee_charged: { rider: inApp('Wallet'), guest: inApp('Wallet') },
  amendment_charged: { rider: inApp('Wallet'), guest: inApp('Wallet') },
  earned: { driver: optionalInApp('Wallet') },
  kept_cash: { driver: optionalInApp('Wallet') },
  rated: { driver: optionalInApp('BookedCab') },
  tipped: { driver: optionalInApp('Wallet') },
  cancelled: {
    rider: inApp('BookedCab'),
    guest: inAppOrSms('BookedCab', 60),
    driver: inApp('BookedCab'),
  },
  no_driver: { rider: inApp('BookedCab'), guest: inAppOrSms('BookedCab', 60) },
  expired: { rider: inApp('BookedCab'), guest: inApp('BookedCab') },
  reminder: {
    rider: optionalInApp('BookedCab'),
    guest: optionalInApp('BookedCab'),
    driver: inApp('BookedCab'),
  },
  wait_question: { rider: inApp('BookedCab'), guest: inAppOrSms('BookedCab', 30) },
  recurring_failed: { rider: inApp('BookedCab'), guest: inApp('BookedCab') },
  referral: { account: optionalInApp('Wallet') },
  wallet_credited: { account: inApp('Wallet') },
  wallet_corrected: { account: inApp('Wallet') },
  compensated: { rider: inApp('Wallet'), guest: inApp('Wallet'), driver: inApp('Wallet') },
  taken_back: { driver: inApp('Wallet') },
  complaint_refunded: { rider: inApp('BookedCab'), guest: inApp('BookedCab') },
  withdraw_processed: { account: inApp('Wallet') },
  withdraw_returned: { account: inApp('Wallet') },
  // A thief must not be the only one to read these, so that they also go to the addresses from
  // before the change. The SMS does not depend on a device, which the thief may have registered.
  bank_changed: { account: { ...inApp('Wallet'), ...WARNING } },
  phone_changed: { account: { ...inApp('Profile'), ...WARNING } },
  email_changed: { account: { ...inApp('Profile'), ...WARNING } },
  office_access_given: { account: { ...inApp('Profile'), ...WARNING, isByOffice: true } },
  office_access_ended: { account: { ...inApp('Profile'), ...WARNING, isByOffice: true } },
  message: { rider: inApp('onlineChat'), driver: inApp('onlineChat') },
  coming: { rider: inApp('BookedCab'), driver: inApp('BookedCab') },
  here: { rider: inApp('BookedCab'), driver: inApp('BookedCab') },
  email_claimed: { account: inApp('Profile') },
  mobile_claimed: { account: inApp('Profile') },
  office_message: { driver: inApp('DriverTrips') },
  driver_message: { office: { alert: 'chime' } },
  parcel_sent: {
    recipient: { sms: 'always', hasLink: true, lifetimeMinutes: 120, urgent: true },
  },
  parcel_cancelled: { recipient: { sms: 'always', lifetimeMinutes: 120 } },
  driver_signed_up: { office: { ...toOffice(1440), optional: true } },
  booking_waits: { office: { ...toOffice(240), urgent: true } },
  booking_released: { office: { alert: 'chime' } },
  fare_lowered: { office: { alert: 'chime' } },
  booking_declined: { office: { alert: 'chime' } },
  payment_review: { office: toOffice(1440) },
  message_budget: {
    office: { email: 'always', lifetimeMinutes: 1440, urgent: true, isUnlimited: true },
  },
  panic: { office: { ...toOffice(240), alert: 'alarm', urgent: true, isUnlimited: true } },
  help_asked: { office: { alert: 'chime', email: 'always', lifetimeMinutes: 1440 } },
  help_answered: {
    rider: { screen: 'BookedCab', email: 'always', lifetimeMinutes: 3 * 1440 },
    guest: { screen: 'BookedCab', email: 'always', lifetimeMinutes: 3 * 1440 },
  },
} as const satisfies Record<PushName, Partial<Record<Audience, MessageRow>>>

export type MessageEvent = keyof typeof MESSAGE_TABLE
/** The audiences that a message has a row for. */
export type AudienceOf<Event extends MessageEvent> = Extract<
  keyof (typeof MESSAGE_TABLE)[Event],
  Audience
>

/** Returns the row of a message, or undefined when the table has none. */
export const findMessageRow = (event: string, audience: string): MessageRow | undefined => {
  const rows: Record<string, Partial<Record<string, MessageRow>>> = MESSAGE_TABLE
  return Object.hasOwn(rows, event) ? rows[event]?.[audience] : undefined
}

/** Returns the messages that a platform of this category sends. Only a parcel has a recipient. */
export const listMessages = ({ appcat }: Pick<Settings, 'appcat'>): MessageEvent[] =>
  (Object.keys(MESSAGE_TABLE) as MessageEvent[]).filter(
    (event) =>
      appcat === 'delivery' ||
      Object.keys(MESSAGE_TABLE[event]).some((audience) => audience !== 'recipient'),
  )

/** The messages that have a screen for this audience. */
export type InAppEvent = {
  [Event in MessageEvent]: (typeof MESSAGE_TABLE)[Event][AudienceOf<Event>] extends {
    screen: AppScreen
  }
    ? Event
    : never
}[MessageEvent]

/** Returns the texts and the screen of a push and its inbox entry. */
export const buildNotification = <Event extends InAppEvent>(
  event: Event,
  audience: AudienceOf<Event>,
) => {
  const rows: Partial<Record<Audience, { screen: AppScreen }>> = MESSAGE_TABLE[event]
  const screen = rows[audience]?.screen
  if (screen === undefined)
    throw new Error(`The message ${event} has no screen for ${audience}. Add it to MESSAGE_TABLE.`)
  return { ...toPushText(event), screen }
}

/** The key of the text that ends a message with a link. */
export const FOLLOW_TEXT = 'message_follow'
