import type { EndpointOutput } from '~/domain/api/api'
import type { SendOfficeMessageInput } from '~/domain/api/inputs/messages'
import { createServiceThunk } from '~/src/store/serviceThunk'

type Response = EndpointOutput<'send_office_message'>

/** Sends a message between the office and drivers; repeats a call that took too long. */
export const sendOfficeMessage = createServiceThunk<
  Omit<SendOfficeMessageInput, 'message_id'>,
  { reachedCount: number }
>('messages/sendOffice', async (message, { database, functions }) => {
  const message_id = await database.newKey()
  let reachedCount = 0
  for (;;) {
    const response: Response = await functions.call('send_office_message', {
      ...message,
      message_id,
    })
    reachedCount += response.sent
    if (response.done) return { reachedCount }
  }
})
