import { expect, test } from 'vitest'
import { openTargetDatabase } from './targetDatabase'

const ADDRESS = { KERBSIDE_DATABASE_URL: 'https://acme-taxis.firebaseio.com' }

test('refuses an address without a token', async () => {
  await expect(openTargetDatabase(ADDRESS)).rejects.toThrow('needs a KERBSIDE_ACCESS_TOKEN')
})

test('refuses a project beside an address, which may be another project', async () => {
  await expect(
    openTargetDatabase({ ...ADDRESS, KERBSIDE_ACCESS_TOKEN: 'token' }, 'city-cabs'),
  ).rejects.toThrow('Both --project and KERBSIDE_DATABASE_URL name a database.')
})
