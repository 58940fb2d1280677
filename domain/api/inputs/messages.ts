import * as v from 'valibot'
import { messageSettingsForm } from '../../forms/messageForms'
import { idSchema, opaque, pushKey, required, text, dropFields, ignoreFields } from '../inputFields'
import { APP_SCREENS } from '../../messages/types'

/** Maximum number of parameters of a text; ours all have fewer. */
const MAX_PARAMS = 10
/** The fields of a `PushNotification` that have no meaning for one device. */
const ignoredPushFields = ignoreFields('body', 'devicetype', 'usertype', 'createdAt')
export const sendNotificationSchema = v.pipe(
  v.strictObject({
    /** The phone's push token. A party of `booking` omits it to reach the other party. */
    token: v.optional(opaque(4096)),
    title: required(200, 'line'),
    msg: required(1000),
    screen: v.optional(v.picklist(APP_SCREENS)),
    /** The parameter names become keys in the recipient's inbox. */
    params: v.optional(
      v.pipe(
        v.record(idSchema, v.union([text(200, 'line'), v.pipe(v.number(), v.finite())])),
        v.check((params) => Object.keys(params).length <= MAX_PARAMS),
      ),
    ),
    /** The related booking. Its parties may send one of `PARTY_PUSH_NAMES` to each other. */
    booking_id: v.optional(idSchema),
    ...ignoredPushFields,
  }),
  v.transform((push) => dropFields(push, ignoredPushFields)),
)

export type SendNotificationInput = v.InferOutput<typeof sendNotificationSchema>

/**
 * `notification_id` is a push key from the client: the same key again sends each message only once.
 */
export const broadcastNotificationSchema = v.strictObject({
  notification_id: pushKey,
  title: required(200, 'line'),
  body: required(1000),
  usertype: v.picklist(['All', 'rider', 'driver']),
  devicetype: v.picklist(['All', 'ANDROID', 'IOS']),
})
export type BroadcastNotificationInput = v.InferOutput<typeof broadcastNotificationSchema>

export const sendOfficeMessageSchema = v.strictObject({
  /**
   * Without one, the office writes to all drivers on duty. A driver, who writes to the office,
   * names none.
   */
  driver: v.optional(idSchema),
  text: required(500, 'remark'),
  /** A push key from the client: the same key again sends the message once. */
  message_id: v.optional(pushKey),
})
export type SendOfficeMessageInput = v.InferInput<typeof sendOfficeMessageSchema>

export const messageSettingsSchema = v.strictObject({})
export const saveMessageSettingsSchema = v.strictObject({
  settings: messageSettingsForm,
  /** The revision of the settings that the caller saw; 0 before the first change. */
  revision: v.pipe(v.number(), v.integer(), v.minValue(0)),
})
export type SaveMessageSettingsInput = v.InferInput<typeof saveMessageSettingsSchema>

/** With `key`, turns an optional message on or off for the caller. */
export const messagePreferencesSchema = v.strictObject({
  key: v.optional(idSchema),
  on: v.optional(v.boolean(), true),
})

/** `cursor` is the last response's `next`. */
export const bookingMessagesSchema = v.strictObject({
  booking_id: idSchema,
  cursor: v.optional(idSchema),
})
