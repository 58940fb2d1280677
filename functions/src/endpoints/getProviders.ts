import * as v from 'valibot'
import type { Settings } from '~/domain/entities'
import { at } from '~/domain/paths'
import { forAnyone } from '../definition'
import { PAYMENT_SECRETS } from '../payments/secrets'

/** Lists the payment providers. */
export const get_providers = forAnyone({
  name: 'get_providers',
  summary:
    'The payment providers whose keys are configured and who take the settings’ currency. GET.',
  input: v.object({}),
  allow: ['anyone'],
  limit: 60,
  answers: '[{name, link}]',
  refuses: [],
  secrets: PAYMENT_SECRETS,
  async handle(_input, { db, payments }) {
    const code = await db.read<Settings['code']>(`${at.settings}/code`)
    return code === null ? [] : payments.providers(code)
  },
})
