import * as v from 'valibot'
import type { HelpCase } from '../../help/helpCase'
import type { MessageSettings, MessageTotal } from '../../messages/messageSettings'
import type { SentMessage } from '../../messages/outbox'
import type { RefusalDay } from '../../access/refusals'
import type { Booking, CallerTrip } from '../../booking/types'
import type { ListedPerson, User } from '../../accounts/types'
import {
  addBookingNoteSchema,
  answerHelpSchema,
  askHelpSchema,
  listHelpSchema,
  readHelpSchema,
  sendReceiptSchema,
} from '../inputs/bookings'
import {
  bookingMessagesSchema,
  broadcastNotificationSchema,
  messagePreferencesSchema,
  messageSettingsSchema,
  saveMessageSettingsSchema,
  sendNotificationSchema,
  sendOfficeMessageSchema,
} from '../inputs/messages'
import {
  answerCallSchema,
  answerPanicSchema,
  beginExportSchema,
  callerSchema,
  findCallerSchema,
  listRefusalsSchema,
  raisePanicSchema,
  saveNoteSchema,
} from '../inputs/office'
import { listPeopleSchema, savePlaceSchema } from '../inputs/people'
import { record, id, count, success } from '../outputFields'

export const MESSAGE_ENDPOINTS = {
  send_notification: { input: sendNotificationSchema, output: success },
  broadcast_notification: {
    input: broadcastNotificationSchema,
    output: v.object({
      notification_id: id,
      /** Number of intended recipients so far. */
      matched: count,
      /** Number of recipients that this call reached. */
      sent: count,
      /** False while the scheduled job has to do the rest. */
      done: v.boolean(),
    }),
  },
  send_office_message: {
    input: sendOfficeMessageSchema,
    output: v.object({
      message_id: id,
      /** Number of drivers whom this call reached; 1 for the office. */
      sent: count,
      /** False when the call took too long; a repeat with the `message_id` reaches the others. */
      done: v.boolean(),
    }),
  },
  message_settings: {
    input: messageSettingsSchema,
    output: v.object({
      settings: record<MessageSettings>('MessageSettings'),
      /** As YYYY-MM, in the platform's time zone. */
      month: v.string(),
      total: record<MessageTotal>('MessageTotal'),
    }),
  },
  save_message_settings: {
    input: saveMessageSettingsSchema,
    output: v.object({ revision: count }),
  },
  booking_messages: {
    input: bookingMessagesSchema,
    output: v.object({
      rows: v.array(record<SentMessage>('SentMessage')),
      next: v.nullable(v.string()),
    }),
  },
  /** `at` is the time, ms, of the first request. */
  send_receipt: { input: sendReceiptSchema, output: v.object({ at: v.number() }) },
  message_preferences: {
    input: messagePreferencesSchema,
    /** The optional messages that the caller has turned off. */
    output: v.object({ off: v.array(v.string()) }),
  },
  caller: { input: callerSchema, output: success },
  raise_panic: {
    input: raisePanicSchema,
    /** The time, ms, at which the office got the alert. */
    output: v.object({ at: v.number() }),
  },
  /** `first` is false when a colleague was faster. */
  answer_panic: { input: answerPanicSchema, output: v.object({ first: v.boolean() }) },
  /** `first` is false when a colleague was faster. */
  answer_call: { input: answerCallSchema, output: v.object({ first: v.boolean() }) },
  find_caller: {
    input: findCallerSchema,
    output: v.object({
      person: v.nullable(
        record<Pick<User, 'id' | 'usertype' | 'firstName' | 'lastName' | 'mobile'>>('Person'),
      ),
      trips: v.array(record<CallerTrip>('CallerTrip')),
      open: v.array(
        record<Pick<Booking, 'id' | 'reference' | 'status' | 'tripdate' | 'dropAddress'>>(
          'OpenBooking',
        ),
      ),
      note: v.object({ text: v.string(), revision: count }),
    }),
  },
  list_people: {
    input: listPeopleSchema,
    output: v.object({ rows: v.array(record<ListedPerson>('ListedPerson')) }),
  },
  ask_help: {
    input: askHelpSchema,
    output: v.object({ case: record<HelpCase>('HelpCase') }),
  },
  answer_help: {
    input: answerHelpSchema,
    output: v.object({ case: record<HelpCase>('HelpCase') }),
  },
  read_help: {
    input: readHelpSchema,
    output: v.object({ case: v.nullable(record<HelpCase>('HelpCase')) }),
  },
  list_help: {
    input: listHelpSchema,
    output: v.object({
      cases: v.array(record<HelpCase>('HelpCase')),
      /** The `after` of the next page; null on the last. */
      next: v.nullable(v.string()),
    }),
  },
  begin_export: { input: beginExportSchema, output: success },
  list_refusals: {
    input: listRefusalsSchema,
    output: v.object({ days: v.array(record<RefusalDay>('RefusalDay')) }),
  },
  save_place: { input: savePlaceSchema, output: success },
  save_note: { input: saveNoteSchema, output: v.object({ revision: count }) },
  /** `at` is the time, ms, at which the note was added. */
  add_booking_note: {
    input: addBookingNoteSchema,
    output: v.object({ note_id: id, at: v.number() }),
  },
} as const
