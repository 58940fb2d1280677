import { expect, test } from 'vitest'
import { openTargetDatabase } from './targetDatabase'

test('refuses access to a project without a token', async () => {
  const env = { KERBSIDE_DATABASE_URL: 'https://acme-taxis.firebaseio.com' }
  await expect(openTargetDatabase(env)).rejects.toThrow('needs a KERBSIDE_ACCESS_TOKEN')
})
