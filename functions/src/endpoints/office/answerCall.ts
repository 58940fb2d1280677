import { defineUserEndpoint } from '../../http/endpointTypes'
import { answerCall } from '../../services/office/officeCalls'

/** Takes an incoming call off the screens of the office. */
export const answer_call = defineUserEndpoint({
  name: 'answer_call',
  summary:
    'Removes an announced call and its number from every screen. `first` is true for the one person who answered it.',
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  handle: async ({ call_id }, context) => ({ first: await answerCall(context, call_id) }),
})
