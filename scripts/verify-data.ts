// Why: proves on live data that money, statuses and totals agree. `npm run verify-data`
import { violations, type DatabaseTree } from '~/domain/invariants'
import { localDatabase } from './localDatabase'
import { HOST, portBaseFrom, portsFrom } from './ports'

const ports = portsFrom(portBaseFrom(process.env.KERBSIDE_PORT_BASE))
const database = localDatabase(
  process.env.KERBSIDE_DATABASE_URL ?? `http://${HOST}:${ports.database}`,
)
const tree = (await database.get('')) as DatabaseTree | null
const found = violations(tree ?? {})
for (const sentence of found) console.error(sentence)
console.log(found.length === 0 ? 'The data is sound.' : `${found.length} violations.`)
process.exitCode = found.length === 0 ? 0 : 1
