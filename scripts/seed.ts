// Why: puts the demo city back into a running local Kerbside without stopping it. `npm run seed`
import { restoreAccounts } from './accounts'
import { demoTree } from './demoTree'
import { localDatabase } from './localDatabase'
import { HOST, portBaseFrom, portsFrom } from './ports'

const ports = portsFrom(portBaseFrom(process.env.KERBSIDE_PORT_BASE))
const database = localDatabase(`http://${HOST}:${ports.database}`)
await database.put('', await demoTree(Date.now()))
const accounts = await restoreAccounts(database, `http://${HOST}:${ports.auth}`)
console.log(`The demo city is back, with ${accounts} accounts.`)
