import { CALLER_SECRETS } from '../../deployment'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import { announceCall } from '../../services/office/officeCalls'

/** Shows an incoming telephone call to the office. */
export const caller = defineOpenEndpoint({
  name: 'caller',
  summary:
    "A telephone system announces an incoming call, which the office's screens show for two minutes. `number` has its country code. The same number within five seconds is the same call. Needs the key of the secret `KERBSIDE_CALLER_KEY` in the header `X-Kerbside-Key`.",
  allow: ['caller-key'],
  limit: 120,
  spends: [],
  errors: [],
  secrets: CALLER_SECRETS,
  async handle(call, context) {
    await announceCall(context, call)
    return { success: true }
  },
})
