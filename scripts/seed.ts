// Restores the demo city in a running local Kerbside without stopping it. `npm run seed`; with
// `-- --taxi`, the city of a taxi company, without parcels.
import { parseArgs } from 'node:util'
import { restoreAccounts } from './database/authAccounts'
import { createDemoDatabase } from './local/demoDatabase'
import { openLocalDatabase } from './local/localDatabase'
import { findRunningPorts } from './local/ports'
import { runScript } from './local/scriptRunner'
import { createUrls } from './local/suiteConfig'

await runScript(async () => {
  const { taxi = false } = parseArgs({ options: { taxi: { type: 'boolean' } } }).values
  const urls = createUrls(await findRunningPorts(process.env))
  const database = openLocalDatabase(urls.database)
  await database.put('', await createDemoDatabase(Date.now(), taxi ? 'taxi' : 'delivery'))
  const accounts = await restoreAccounts(database, urls.auth)
  console.log(`Restored the demo city with ${accounts} accounts.`)
  return 0
})
