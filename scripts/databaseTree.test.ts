import { expect, test } from 'vitest'
import { databaseTree } from './databaseTree'

test('a project is not looked at without a token', async () => {
  const env = { KERBSIDE_DATABASE_URL: 'https://acme-taxis.firebaseio.com' }
  await expect(databaseTree(undefined, env)).rejects.toThrow('needs a KERBSIDE_ACCESS_TOKEN')
})
