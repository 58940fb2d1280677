// Why: a backup nobody has restored is a hope. `npm run backup -- save FILE.json.gz` and `npm run backup -- restore FILE.json.gz`
// work on the local Kerbside; with KERBSIDE_DATABASE_URL and KERBSIDE_ACCESS_TOKEN on a project (docs/operations.md).
// `npm run backup -- rehearse` does it all once on a city of its own.
import { parseArgs } from 'node:util'
import { restore, save, storeAt, type Store } from './backups'
import { NAMESPACE } from './localDatabase'
import { HOST, runningPorts } from './ports'
import { projectDatabase } from './projectDatabase'
import { runToEnd } from './runToEnd'

const store = async (): Promise<Store> => {
  const project = projectDatabase(process.env)
  if (project) return storeAt(project.url, project.headers)
  const { database } = await runningPorts(process.env)
  const owner = { Authorization: 'Bearer owner' }
  return storeAt(`http://${HOST}:${database}`, owner, { ns: NAMESPACE })
}

await runToEnd(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      unsound: { type: 'boolean', default: false },
    },
  })
  const [what, file] = positionals
  if (what === 'rehearse') {
    const { rehearse } = await import('./rehearsal')
    console.table(await rehearse((line) => console.log(line)))
    console.log('Rehearsed: everything came back, it agrees, and the city goes on.')
    return 0
  }
  if ((what !== 'save' && what !== 'restore') || file === undefined)
    throw new Error('npm run backup -- save FILE | restore FILE [--replace] [--unsound] | rehearse')
  const from = await store()
  const counts = what === 'save' ? await save(from, file) : await restore(from, file, values)
  console.table(counts)
  console.log(what === 'save' ? `Saved as ${file}.` : 'Restored, and proved to be what was saved.')
  return 0
})
