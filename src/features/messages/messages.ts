import type { SaveMessageSettingsInput } from '~/domain/api/inputs/messages'
import { toPushText, type PushName } from '~/domain/booking/pushMessages'
import type { MessageSettings, MessageTotal } from '~/domain/messages/messageSettings'
import type { SentMessage } from '~/domain/messages/outbox'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** The office's settings of messages, and the costs of the current month. */
export interface MessageSettingsResponse {
  settings: MessageSettings
  /** yyyy-mm */
  month: string
  total: MessageTotal
}

export const fetchMessageSettings = createServiceThunk<void, MessageSettingsResponse>(
  'messages/fetchSettings',
  (_, { functions }) => functions.call('message_settings', {}),
)

export const saveMessageSettings = createServiceThunk<
  SaveMessageSettingsInput,
  { revision: number }
>('messages/saveSettings', (input, { functions }) => functions.call('save_message_settings', input))

/** Saves the texts of a message in one language; an empty text restores the shipped one. */
export const saveTemplate = createServiceThunk<{
  language: string
  event: PushName
  title: string
  msg: string
}>('messages/saveTemplate', async ({ language, event, ...texts }, { database }) => {
  const keys = toPushText(event)
  const path = (key: string) => `languages/${language}/keyValuePairs/${key}`
  await database.update({
    [path(keys.title)]: texts.title.trim() || null,
    [path(keys.msg)]: texts.msg.trim() || null,
  })
})

/** Returns the optional messages that the person has turned off; with `key`, after a change. */
export const choosePreference = createServiceThunk<
  { key?: string; on?: boolean },
  { off: string[] }
>('messages/preference', (input, { functions }) => functions.call('message_preferences', input))

/** Returns a page of the messages about a booking that left the platform. */
export const fetchBookingMessages = createServiceThunk<
  { booking_id: string; cursor?: string },
  { rows: SentMessage[]; next: string | null }
>('messages/ofBooking', (input, { functions }) => functions.call('booking_messages', input))
