import * as v from 'valibot'
import { forAnyone } from '../definition'

/** Lists the payment providers. */
export const get_providers = forAnyone({
  name: 'get_providers',
  summary: 'The payment providers whose keys are configured. GET.',
  input: v.object({}),
  allow: ['anyone'],
  limit: 60,
  answers: '[{name, link}]',
  refuses: [],
  handle: (_input, { payments }) => payments.providers(),
})
