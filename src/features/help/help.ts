import type { AnswerHelpInput, AskHelpInput } from '~/domain/api/inputs/bookings'
import type { HelpCase } from '~/domain/help/helpCase'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Asks the office for help with an ended booking; returns the booking's case. */
export const askHelp = createServiceThunk<AskHelpInput, HelpCase>(
  'help/ask',
  async (input, { functions }) => (await functions.call('ask_help', input)).case,
)

/** Answers the customer; returns the booking's case. */
export const answerHelp = createServiceThunk<AnswerHelpInput, HelpCase>(
  'help/answer',
  async (input, { functions }) => (await functions.call('answer_help', input)).case,
)

/** Returns the case of a booking, or null. */
export const fetchHelp = createServiceThunk<string, HelpCase | null>(
  'help/read',
  async (booking_id, { functions }) => (await functions.call('read_help', { booking_id })).case,
)

/** Returns the cases that wait for an answer, the oldest question first. */
export const fetchOpenHelp = createServiceThunk<void, HelpCase[]>(
  'help/list',
  async (_, { functions }) => (await functions.call('list_help', {})).cases,
)
