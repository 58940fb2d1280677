import { applicationDefault } from 'firebase-admin/app'
import { logPushFailure } from '../../logs'
import { type ClockPort } from '../../ports/clock'
import type { FcmMessage } from './fcmSchema'
import type { PushOutcome, PushPort } from '../../ports/push'
import { systemClock } from '../node/systemClock'
import type { AppScreen } from '~/domain/messages/types'

/** Names that a message may not use in its data, because Firebase refuses the whole message. */
const RESERVED_KEYS = /^(from|message_type|google.*|gcm.*)$/

/** The native app creates channels with these ids; users set sound and vibration per channel. */
const CHANNELS: Record<AppScreen, string> = {
  DriverTrips: 'requests',
  BookedCab: 'bookings',
  onlineChat: 'messages',
  Wallet: 'account',
  Profile: 'account',
}

/**
 * Seconds during which a push is worth delivering. A driver's request expires after half a minute
 * and goes to another driver.
 */
const LIFETIMES: Record<AppScreen, number> = {
  DriverTrips: 60,
  BookedCab: 3600,
  onlineChat: 86_400,
  Wallet: 7 * 86_400,
  Profile: 7 * 86_400,
}

/** Maximum length of `apns-collapse-id` at Apple, in bytes. */
const LONGEST_ID = 64

/**
 * Returns a push in the form of the HTTP v1 API. The texts are keys of the app's own resources,
 * filled in with `params` in the given order; a browser's service worker finds them in `data`. A
 * newer push about the same booking and screen replaces the older one on the phone. `now` is in ms.
 */
export const toFcmMessage = (
  token: string,
  { title, msg, params = {}, screen, booking_id }: Parameters<PushPort['send']>[1],
  now: number,
): FcmMessage => {
  const extras = Object.entries(params)
    .filter(([name]) => !RESERVED_KEYS.test(name))
    .map(([name, value]) => [name, String(value)] as const)
  const args = Object.values(params).map(String)
  const [channel, lifetime] = [CHANNELS[screen], LIFETIMES[screen]]
  const thread = booking_id ?? screen
  const subject = `${screen}-${thread}`.slice(0, LONGEST_ID)
  return {
    token,
    data: { ...Object.fromEntries(extras), title, msg, screen, booking_id: booking_id ?? '' },
    android: {
      priority: 'HIGH',
      ttl: `${lifetime}s`,
      collapse_key: channel,
      notification: {
        title_loc_key: title,
        body_loc_key: msg,
        ...(args.length > 0 && { title_loc_args: args, body_loc_args: args }),
        channel_id: channel,
        tag: subject,
        click_action: screen,
        sound: 'default',
      },
    },
    apns: {
      headers: {
        'apns-priority': '10',
        'apns-push-type': 'alert',
        'apns-expiration': String(Math.floor(now / 1000) + lifetime),
        'apns-collapse-id': subject,
      },
      payload: {
        aps: {
          alert: {
            'title-loc-key': title,
            'loc-key': msg,
            ...(args.length > 0 && { 'title-loc-args': args, 'loc-args': args }),
          },
          sound: 'default',
          category: screen,
          'thread-id': thread,
        },
      },
    },
    webpush: { headers: { TTL: String(lifetime), Urgency: 'high' } },
  }
}

/** Posts the body of a `messages:send` request; returns the service's response. */
export type FcmTransport = (body: { message: FcmMessage }) => Promise<Response>

interface FcmErrorBody {
  error?: {
    status?: string
    message?: string
    details?: { errorCode?: string; fieldViolations?: { field?: string }[] }[]
  }
}

/** Returns the error code of a refused message, and whether its token is permanently invalid. */
const readError = async (response: Response): Promise<{ code: string; isGone: boolean }> => {
  const body = (await response.json().catch(() => ({}))) as FcmErrorBody
  const { status, message = '', details = [] } = body.error ?? {}
  const code = details.find(({ errorCode }) => errorCode)?.errorCode ?? status ?? 'UNKNOWN'
  const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations)
  const isToken =
    fields.length > 0
      ? fields.every(({ field }) => field === 'message.token')
      : /registration token/i.test(message)
  // Any other 404 or 400 is an error of ours, which must not cost people their devices.
  const isGone = code === 'UNREGISTERED' || (code === 'INVALID_ARGUMENT' && isToken)
  return { code, isGone }
}

/** Milliseconds before each further attempt: few, because a booking's call waits for its pushes. */
const RETRY_DELAYS_MS = [300, 1200]
const isTemporary = (status: number) => status === 429 || status >= 500

/** Creates the port over the HTTP v1 API of Firebase Cloud Messaging. */
export const createFcmPush = (
  post: FcmTransport,
  { now, wait }: ClockPort = systemClock,
): PushPort => {
  const attempt = async (message: FcmMessage, delays: readonly number[]): Promise<PushOutcome> => {
    const screen = message.data?.screen ?? ''
    const [delay, ...later] = delays
    try {
      const response = await post({ message })
      if (response.ok) return 'sent'
      if (!isTemporary(response.status) || delay === undefined) {
        const { code, isGone } = await readError(response)
        // A device without the app is not our failure.
        if (!isGone) logPushFailure(screen, code)
        return isGone ? 'gone' : 'failed'
      }
    } catch (error) {
      if (delay === undefined) {
        logPushFailure(screen, error instanceof Error ? error.name : 'UNKNOWN')
        return 'failed'
      }
    }
    await wait(delay)
    return attempt(message, later)
  }
  return {
    send: (token, push) => attempt(toFcmMessage(token, push, now()), RETRY_DELAYS_MS),
  }
}

/** Timeout of a request to Firebase, in milliseconds. */
const TIMEOUT_MS = 5000

const postToFirebase: FcmTransport = async (body) => {
  const { access_token: token } = await applicationDefault().getAccessToken()
  const project = process.env.GCLOUD_PROJECT ?? ''
  return fetch(`https://fcm.googleapis.com/v1/projects/${project}/messages:send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
}

/** Push messages through Firebase Cloud Messaging. */
export const firebasePush: PushPort = createFcmPush(postToFirebase)
