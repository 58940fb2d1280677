// The body of `projects.messages.send` of the FCM HTTP v1 API, as its reference documents it.
// Unknown fields are refused, as the service refuses them.
import * as v from 'valibot'

const text = v.string()
const textMap = v.record(text, text)
const struct = v.record(text, v.unknown())
const flag = v.boolean()
const texts = v.array(text)
/** A duration such as `3.5s`. */
const duration = v.pipe(text, v.regex(/^\d+(\.\d{1,9})?s$/))
const label = v.optional(v.pipe(text, v.regex(/^[a-zA-Z0-9-_.~%]{1,50}$/)))
const options = v.strictObject({ analytics_label: label })

/** Names that the service reserves. */
const RESERVED_KEY = /^(from|message_type|google\..*|gcm\..*|google|gcm)$/
const data = v.pipe(
  textMap,
  v.check(
    (entries) => !Object.keys(entries).some((key) => RESERVED_KEY.test(key)),
    'The data has a reserved key.',
  ),
)

const notification = v.strictObject({
  title: v.optional(text),
  body: v.optional(text),
  image: v.optional(text),
})

const color = v.strictObject({
  red: v.optional(v.number()),
  green: v.optional(v.number()),
  blue: v.optional(v.number()),
  alpha: v.optional(v.number()),
})
const androidNotification = v.strictObject({
  title: v.optional(text),
  body: v.optional(text),
  icon: v.optional(text),
  color: v.optional(v.pipe(text, v.regex(/^#[0-9a-fA-F]{6}$/))),
  sound: v.optional(text),
  tag: v.optional(text),
  click_action: v.optional(text),
  body_loc_key: v.optional(text),
  body_loc_args: v.optional(texts),
  title_loc_key: v.optional(text),
  title_loc_args: v.optional(texts),
  channel_id: v.optional(text),
  ticker: v.optional(text),
  sticky: v.optional(flag),
  event_time: v.optional(v.pipe(text, v.isoTimestamp())),
  local_only: v.optional(flag),
  notification_priority: v.optional(
    v.picklist([
      'PRIORITY_UNSPECIFIED',
      'PRIORITY_MIN',
      'PRIORITY_LOW',
      'PRIORITY_DEFAULT',
      'PRIORITY_HIGH',
      'PRIORITY_MAX',
    ]),
  ),
  default_sound: v.optional(flag),
  default_vibrate_timings: v.optional(flag),
  default_light_settings: v.optional(flag),
  vibrate_timings: v.optional(v.array(duration)),
  visibility: v.optional(v.picklist(['VISIBILITY_UNSPECIFIED', 'PRIVATE', 'PUBLIC', 'SECRET'])),
  notification_count: v.optional(v.pipe(v.number(), v.integer())),
  light_settings: v.optional(
    v.strictObject({
      color,
      light_on_duration: duration,
      light_off_duration: duration,
    }),
  ),
  image: v.optional(text),
  bypass_proxy_notification: v.optional(flag),
  proxy: v.optional(v.picklist(['PROXY_UNSPECIFIED', 'ALLOW', 'DENY', 'IF_PRIORITY_LOWERED'])),
})

/** Four weeks, the maximum time that the service keeps a message. */
const MAX_TTL_SECONDS = 28 * 86_400
const android = v.strictObject({
  collapse_key: v.optional(text),
  priority: v.optional(v.picklist(['NORMAL', 'HIGH'])),
  ttl: v.optional(
    v.pipe(
      duration,
      v.check((ttl) => Number.parseFloat(ttl) <= MAX_TTL_SECONDS, 'The ttl is over four weeks.'),
    ),
  ),
  restricted_package_name: v.optional(text),
  data: v.optional(data),
  notification: v.optional(androidNotification),
  fcm_options: v.optional(options),
  direct_boot_ok: v.optional(flag),
  bandwidth_constrained_ok: v.optional(flag),
  restricted_satellite_ok: v.optional(flag),
})

const webpush = v.strictObject({
  headers: v.optional(textMap),
  data: v.optional(data),
  notification: v.optional(struct),
  fcm_options: v.optional(
    v.strictObject({
      link: v.optional(v.pipe(text, v.url(), v.startsWith('https://'))),
      analytics_label: label,
    }),
  ),
})

const apns = v.strictObject({
  headers: v.optional(textMap),
  payload: v.optional(struct),
  fcm_options: v.optional(v.strictObject({ analytics_label: label, image: v.optional(text) })),
  live_activity_token: v.optional(text),
})

/** Maximum payload size that the service accepts, in bytes. */
const MAX_PAYLOAD_BYTES = 4096
const TARGETS = ['token', 'topic', 'condition'] as const

const messageSchema = v.pipe(
  v.strictObject({
    token: v.optional(v.pipe(text, v.nonEmpty())),
    topic: v.optional(v.pipe(text, v.regex(/^[a-zA-Z0-9-_.~%]+$/))),
    condition: v.optional(v.pipe(text, v.nonEmpty())),
    data: v.optional(data),
    notification: v.optional(notification),
    android: v.optional(android),
    webpush: v.optional(webpush),
    apns: v.optional(apns),
    fcm_options: v.optional(options),
  }),
  v.check(
    (message) => TARGETS.filter((target) => message[target] !== undefined).length === 1,
    'The message needs exactly one of token, topic and condition.',
  ),
  v.check(
    ({ data: dataFields = {}, notification: notificationFields = {} }) =>
      Buffer.byteLength(JSON.stringify({ ...dataFields, ...notificationFields })) <=
      MAX_PAYLOAD_BYTES,
    'Message too big.',
  ),
)

export const sendRequestSchema = v.strictObject({
  validate_only: v.optional(flag),
  message: messageSchema,
})

/** A message of the HTTP v1 API. */
export type FcmMessage = v.InferInput<typeof messageSchema>
