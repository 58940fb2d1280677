// Why: proves on live data that money, statuses and totals agree. `npm run verify-data` looks at the local Kerbside;
// `npm run verify-data -- backup.json` at an exported database; with KERBSIDE_DATABASE_URL and KERBSIDE_ACCESS_TOKEN (of an
// account that may read the database) at a project. Ends with 1 when something is wrong.
import { violations } from '~/domain/invariants'
import { databaseTree } from './databaseTree'
import { runToEnd } from './runToEnd'

await runToEnd(async () => {
  const found = violations(await databaseTree(process.argv[2], process.env))
  for (const sentence of found) console.error(sentence)
  console.log(found.length === 0 ? 'The data is sound.' : `${found.length} violations.`)
  return found.length === 0 ? 0 : 1
})
