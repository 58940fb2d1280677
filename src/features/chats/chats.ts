import { createSlice } from '@reduxjs/toolkit'
import * as v from 'valibot'
import { getDateFormat } from '~/domain/language/intlFormats'
import { MIN_MESSAGE_INTERVAL_MS, buildMessageUpdates } from '~/domain/access/rateLimitedWrites'
import { dbPaths } from '~/domain/data/databasePaths'
import { toDomainError } from '~/src/services/services'
import { sessionEnded } from '~/src/store/auth'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { type AppState, rootReducer } from '~/src/store/reducer'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { screenPaths } from '~/src/store/screenPaths'
import { createServiceThunk } from '~/src/store/serviceThunk'
import {
  deleteUnsentMessage,
  loadUnsentMessages,
  saveUnsentMessage,
  type UnsentMessage,
} from './unsentMessages'
import type { AppDispatch } from '~/src/store/storeTypes'
import type { ChatMessage } from '~/domain/messages/types'
import type { User } from '~/domain/accounts/types'

/** The messages of rider and driver about one booking, oldest first. */
export const liveMessages = createLiveSlice('chatdata', 'messages', {
  toQuery: (booking: string) => ({ path: dbPaths.chat(booking), orderBy: 'key', limitToLast: 200 }),
  schema: createRowSchema<ChatMessage & { id: string }>({ message: v.string(), from: v.string() }),
  order: (a, b) => a.at - b.at,
})

const waitMessageSpacing = () =>
  new Promise<void>((resolve) => setTimeout(resolve, MIN_MESSAGE_INTERVAL_MS))

/** For each booking, resolves when this page may send its next message. */
const sendQueues = new Map<string, Promise<void>>()

/** Sends one message after another, because the rules refuse a second one within a second. */
const sendInOrder = <Answer>(booking: string, send: () => Promise<Answer>): Promise<Answer> => {
  const result = (sendQueues.get(booking) ?? Promise.resolve()).then(send)
  // Waits from the response on: the server timestamped the message before it.
  sendQueues.set(booking, result.then(waitMessageSpacing, waitMessageSpacing))
  return result
}

const isRefused = (error: unknown) => toDomainError(error).key === 'not_allowed'

/** Sends a message, which this device stores until it is sent or refused. */
export const sendMessage = createServiceThunk<UnsentMessage>(
  'chatdata/sendMessage',
  async (unsent, { database }) => {
    const { booking_id, key, message } = unsent
    const updates = buildMessageUpdates(booking_id, key, message)
    const isSent = async () =>
      (await database.read({ path: `${dbPaths.chat(booking_id)}/${key}` })) !== null
    saveUnsentMessage(unsent)
    try {
      await sendInOrder(booking_id, () =>
        database.update(updates).catch(async (error: unknown) => {
          if (!isRefused(error)) throw error
          // An earlier page may have sent it without receiving the answer.
          if (await isSent()) return
          // Another page of the same person may have just sent a message.
          await waitMessageSpacing()
          await database.update(updates)
        }),
      )
    } finally {
      deleteUnsentMessage(unsent)
    }
  },
)

const unsentSlice = createSlice({
  name: 'unsentmessages',
  initialState: [] as UnsentMessage[],
  reducers: {},
  extraReducers: (builder) => {
    const remove = (state: UnsentMessage[], { meta }: { meta: { arg: UnsentMessage } }) =>
      state.filter(({ key }) => key !== meta.arg.key)
    builder
      .addCase(sessionEnded, () => [])
      .addCase(sendMessage.pending, (state, { meta }) => [...state, meta.arg])
      .addCase(sendMessage.fulfilled, remove)
      .addCase(sendMessage.rejected, remove)
  },
  selectors: { selectUnsentMessages: (state) => state },
})
declare module '~/src/store/reducer' {
  interface LazySlices {
    unsentmessages: UnsentMessage[]
  }
}
export const { selectUnsentMessages } = unsentSlice.injectInto(rootReducer).selectors

/** Returns the notice of a message that was not sent, for a person who is elsewhere by now. */
export const noticeUnsent = ({ booking_id, message: { message } }: UnsentMessage) =>
  noticeRaised({
    tone: 'problem',
    text: 'chat_not_sent',
    params: { message },
    to: screenPaths.chat(booking_id),
    // Ends with the tap that opens the chat, where the message can be sent again.
    endedBy: [],
  })

/** Thunk: sends the messages of a person that an earlier page of this device has not sent. */
export const resumeMessages =
  (uid: string) =>
  async (dispatch: AppDispatch, getState: () => AppState): Promise<void> => {
    const isSending = (key: string) =>
      selectUnsentMessages(getState()).some((unsent) => unsent.key === key)
    const resume = async (unsent: UnsentMessage) => {
      const result = await dispatch(sendMessage.quiet(unsent))
      if (sendMessage.rejected.match(result)) dispatch(noticeUnsent(unsent))
    }
    await Promise.all(
      loadUnsentMessages(uid)
        .filter(({ key }) => !isSending(key))
        .map(resume),
    )
  }

/** Returns the message that a person writes about a booking now. */
export const createMessage = (
  { id, usertype }: User,
  message: string,
  /** IANA name: dates use the platform's time zone, not that of the sender's device. */
  timeZone: string,
): UnsentMessage['message'] => {
  const now = new Date()
  const clock = (options: Intl.DateTimeFormatOptions) =>
    getDateFormat('en-GB', { timeZone, ...options }).format(now)
  return {
    message,
    from: id,
    type: 'msg',
    msgDate: clock({ dateStyle: 'medium' }),
    msgTime: clock({ timeStyle: 'short' }),
    source: usertype === 'driver' ? 'driver' : 'rider',
  }
}
