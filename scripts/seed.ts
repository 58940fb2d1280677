// Why: puts the demo city back into a running local Kerbside without stopping it. `npm run seed`
import { restoreAccounts } from './accounts'
import { demoTree } from './demoTree'
import { localDatabase } from './localDatabase'
import { runningPorts } from './ports'
import { runToEnd } from './runToEnd'
import { urlsOf } from './suiteConfig'

await runToEnd(async () => {
  const urls = urlsOf(await runningPorts(process.env))
  const database = localDatabase(urls.database)
  await database.put('', await demoTree(Date.now()))
  const accounts = await restoreAccounts(database, urls.auth)
  console.log(`The demo city is back, with ${accounts} accounts.`)
  return 0
})
