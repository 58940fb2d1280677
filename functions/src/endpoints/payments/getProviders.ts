import { dbPaths } from '~/domain/data/databasePaths'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import { PAYMENT_SECRETS } from '../../deployment'
import type { Settings } from '~/domain/catalog/types'

/** Lists the payment providers. */
export const get_providers = defineOpenEndpoint({
  name: 'get_providers',
  summary:
    'Returns the payment providers whose keys are configured and that support the settings’ currency, with the step and the minimum of the amounts that they can charge. GET.',
  allow: ['anyone'],
  limit: 60,
  spends: [],
  errors: [],
  secrets: PAYMENT_SECRETS,
  async handle(_input, { db, payments }) {
    const code = await db.read<Settings['code']>(`${dbPaths.settings}/code`)
    return code === null ? [] : payments.listProviders(code)
  },
})
