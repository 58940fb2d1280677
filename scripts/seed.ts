// Restores the demo city in a running local Kerbside without stopping it. `npm run seed`; with
// `-- --taxi`, the city of a taxi company, without parcels.
import { parseArgs } from 'node:util'
import { restoreAccounts } from './database/authAccounts'
import { createDemoDatabase } from './database/demoDatabase'
import { openLocalDatabase } from './database/localDatabase'
import { findRunningPorts } from './ports'
import { runScript } from './scriptRunner'
import { createUrls } from './suiteConfig'

await runScript(async () => {
  const { taxi = false } = parseArgs({ options: { taxi: { type: 'boolean' } } }).values
  const urls = createUrls(await findRunningPorts(process.env))
  const database = openLocalDatabase(urls.database)
  await database.put('', await createDemoDatabase(Date.now(), taxi ? 'taxi' : 'delivery'))
  const accounts = await restoreAccounts(database, urls.auth)
  console.log(`Restored the demo city with ${accounts} accounts.`)
  return 0
})
