import { randomInt, randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { sendRequestSchema, type FcmMessage } from './fcmSchema'
import { createFcmPush, type FcmTransport } from './firebasePush'
import type { LocalMessage, LocalMessageStore } from '../../ports/localMessages'

/** Tokens with this prefix count as those of a removed app. */
const GONE_TOKEN_PREFIX = 'unregistered-'
/** Tokens of browsers and apps have no spaces; the service refuses other texts. */
const TOKEN_PATTERN = /^[\w:.-]+$/

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'
const refuse = (code: number, status: string, message: string, details: object[]): Response =>
  Response.json({ error: { code, message, status, details } }, { status: code })
const refuseField = (field: string, description: string, message = description): Response =>
  refuse(400, 'INVALID_ARGUMENT', message, [
    { '@type': FCM_ERROR, errorCode: 'INVALID_ARGUMENT' },
    { '@type': BAD_REQUEST, fieldViolations: [{ field, description }] },
  ])

/** Returns what the service worker of a browser gets: Firebase adds the sender and an id. */
const toBrowserPayload = ({ data, notification, webpush }: FcmMessage, id: string): object => ({
  ...((data ?? webpush?.data) && { data: { ...data, ...webpush?.data } }),
  ...((notification ?? webpush?.notification) && {
    notification: { ...notification, ...webpush?.notification },
  }),
  from: '0',
  priority: 'high',
  fcmMessageId: id,
})

/**
 * Returns a double of Firebase Cloud Messaging for local mode: it accepts the messages that the
 * HTTP v1 API accepts, answers with the API's errors, and stores each message for the local inbox
 * page.
 */
export const createFcmDouble =
  (store: LocalMessageStore, now: () => number): FcmTransport =>
  async (body) => {
    // The same text that would be sent: undefined fields disappear, as on the wire.
    const wireBody: unknown = JSON.parse(JSON.stringify(body))
    const parsed = v.safeParse(sendRequestSchema, wireBody)
    if (!parsed.success) {
      const [issue] = parsed.issues
      return refuseField(v.getDotPath(issue) ?? 'message', issue.message)
    }
    const { message } = parsed.output
    const { token = '' } = message
    if (!TOKEN_PATTERN.test(token))
      return refuseField(
        'message.token',
        'Invalid registration token',
        'The registration token is not a valid FCM registration token',
      )
    if (token.startsWith(GONE_TOKEN_PREFIX))
      return refuse(404, 'NOT_FOUND', 'Requested entity was not found.', [
        { '@type': FCM_ERROR, errorCode: 'UNREGISTERED' },
      ])
    const id = randomUUID()
    await store.add({
      at: now(),
      token,
      message: JSON.stringify(message),
      payload: JSON.stringify(toBrowserPayload(message, id)),
    })
    return Response.json({ name: `projects/local/messages/${id}` })
  }

/** Maximum number of messages that the store keeps. */
const MAX_STORED = 300
/** The store removes the oldest messages on average once per this many additions. */
const TRIM_EVERY = 25

/**
 * Stores messages in a namespace of the emulated database beside the platform's own, so that they
 * survive the processes of the functions emulator and never mix with the platform's data.
 */
export const createEmulatorStore = <Message = LocalMessage>(
  env: Readonly<Record<string, string | undefined>>,
  path = 'pushes',
): LocalMessageStore<Message> => {
  const request = async (query: string, init?: RequestInit): Promise<unknown> => {
    const { FIREBASE_DATABASE_EMULATOR_HOST: host, GCLOUD_PROJECT: project } = env
    const url = `http://${host}/${path}.json?ns=${project}-messages${query}`
    const headers = { authorization: 'Bearer owner' }
    const response = await fetch(url, { ...init, headers })
    if (!response.ok)
      throw new Error(
        `The local message store returned status ${response.status}. Is the database running?`,
      )
    return response.json()
  }
  const trim = async () => {
    const keys = Object.keys((await request('&shallow=true')) ?? {})
    const oldest = keys.sort().slice(0, Math.max(0, keys.length - MAX_STORED))
    if (oldest.length === 0) return
    const body = JSON.stringify(Object.fromEntries(oldest.map((key) => [key, null])))
    await request('', { method: 'PATCH', body })
  }
  return {
    add: async (message) => {
      // As text, because the database returns lists as objects and drops empty values.
      await request('', { method: 'POST', body: JSON.stringify(JSON.stringify(message)) })
      if (randomInt(TRIM_EVERY) === 0) await trim()
    },
    list: async () => {
      const query = `&orderBy="$key"&limitToLast=${MAX_STORED}`
      const storedMessages = (await request(query)) as Record<string, unknown> | null
      return Object.entries(storedMessages ?? {})
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, message]) =>
          typeof message === 'string' ? (JSON.parse(message) as Message) : [],
        )
    },
  }
}

/** Push messages of local mode, through the double. */
export const createLocalPush = (store: LocalMessageStore, now: () => number = Date.now) =>
  createFcmPush(createFcmDouble(store, now))
