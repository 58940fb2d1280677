import { violations, type DatabaseTree } from '~/domain/invariants'
import { randomFrom, type Random } from '~/domain/testing/random'
import type { Value } from '~/domain/booking/change'
import { restoreAccounts } from '../accounts'
import { localDatabase, type LocalDatabase } from '../localDatabase'
import type { Ports } from '../ports'
import type { Urls } from '../suiteConfig'
import { gather, OFFICE, removeAccount, STRANGERS, type Attackers } from './attackers'
import { changesBetween, isLegal, isLegalForOffice, type Changed } from './changes'
import { DOORS } from './doors'
import { filesOf, removeFile } from './files'
import { heldBy } from './memory'
import { hangUp } from './requests'
import { oversize, slowLoris, type Strength } from './siege'
import { spoilsOf } from './spoils'
import { attemptsAt, SURFACES, type Attempt, type Surface } from './surfaces'
import { Witness, type Report, type Watch } from './witness'

/** What an attack is asked to do. */
export interface Plan extends Strength {
  seed: number
  /** Requests on each surface. */
  requests: Record<Surface, number>
  doors: readonly string[]
}

export const LARGE: Omit<Plan, 'seed'> = {
  requests: {
    rest: 58_000,
    websocket: 36_000,
    polling: 10_000,
    files: 4000,
    uploads: 4000,
    functions: 8000,
    office: 6000,
  },
  slow: 100,
  oversize: 24 * 1024 * 1024,
  doors: DOORS,
}

/** More than any process of the suite has a reason to hold, in megabytes. */
const MOST_HELD = 1500

const AT_ONCE: Record<Surface, number> = {
  ...{ rest: 8, websocket: 6, polling: 6, files: 4, uploads: 4, functions: 6, office: 4 },
}
const FROM_OFFICE = ['rest', 'rest', 'websocket', 'files', 'functions', 'functions'] as const

interface Place {
  plan: Plan
  urls: Urls
  ports: Ports
  database: LocalDatabase
  witness: Witness
}

/** Attacks a running suite, looks at what it left, and puts everything back as it was. */
export const attack = async (
  plan: Plan,
  { urls, ports }: { urls: Urls; ports: Ports },
  watch: Watch = {},
): Promise<Report> => {
  const began = Date.now()
  const witness = new Witness(plan, watch)
  const place: Place = { plan, urls, ports, database: localDatabase(urls.database), witness }
  const { report } = witness
  try {
    report.held.before = await heldBy(ports)
    await asStrangers(place)
    report.wrong.push(...(await slowLoris(ports, plan)), ...(await oversize(ports, plan)))
    await fromOffice(place)
    report.held.after = await heldBy(ports)
    for (const { process, megabytes } of report.held.after)
      if (megabytes > MOST_HELD) witness.wrong(`a process (${process}) holds ${megabytes} MB`)
  } finally {
    await place.database.put('rate_limits', null)
    hangUp()
  }
  report.seconds = Math.round((Date.now() - began) / 1000)
  return report
}

/** Makes all of a surface's attempts, some at once. */
const storm = async (
  { plan, witness }: Place,
  surface: Surface,
  attackers: Attackers,
  attempt: Attempt,
) => {
  let left = plan.requests[surface]
  const worker = async (_: unknown, n: number) => {
    const random = randomFrom(plan.seed * 1009 + SURFACES.indexOf(surface) * 101 + n)
    while (left > 0) {
      left -= 1
      await attempt(surface, random, random.pick(attackers.all))
      witness.step(surface)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE[surface] }, worker))
}

/** What stands at the place, to be compared. */
interface State {
  tree: DatabaseTree
  files: string[]
}

const stateOf = async ({ database, ports }: Place): Promise<State> => ({
  tree: (await database.get('')) as DatabaseTree,
  files: await filesOf(ports.storage),
})

/** What stands at the place before anybody attacks, and the attempts that aim at it. */
const prepared = async (place: Place, attackers: Attackers) => {
  const before = await stateOf(place)
  const spoils = spoilsOf(before.tree, attackers)
  return { before, attempts: attemptsAt({ ...place, doors: place.plan.doors, spoils }) }
}

/** What an attack left: what it changed, the files it made and took. What is unsound now is reported. */
const remainsOf = async (place: Place, before: State) => {
  const after = await stateOf(place)
  place.witness.report.violations.push(...violations(after.tree))
  return {
    changed: changesBetween(before.tree, after.tree),
    made: after.files.filter((name) => !before.files.includes(name)),
    gone: before.files.filter((name) => !after.files.includes(name)),
  }
}

/** Nobody who attacks has rights: whatever changed, an honest caller could have changed it. */
const asStrangers = async (place: Place) => {
  const { urls, ports, witness } = place
  const attackers = await gather(urls, String(Date.now()), STRANGERS)
  try {
    const { before, attempts } = await prepared(place, attackers)
    for (const surface of SURFACES)
      if (surface !== 'office') await storm(place, surface, attackers, attempts[surface])

    const { changed, made, gone } = await remainsOf(place, before)
    for (const change of changed)
      if (!isLegal(change, attackers)) witness.wrong(`changed: ${told(change)}`)
    for (const name of made) {
      if (!isOwnFile(name, attackers)) witness.wrong(`a file was made: ${name}`)
      await removeFile(ports.storage, name)
    }
    for (const name of gone) witness.wrong(`a file is gone: ${name}`)
    await putBack(changed, place, attackers)
  } finally {
    await attackers.leave()
  }
}

/**
 * An admin's rights in hostile hands, while others go on: he may do harm, but nothing may fail inside, and what he leaves
 * is sound. Everything is as it was afterwards, accounts included.
 */
const fromOffice = async (place: Place) => {
  const { plan, urls, ports, database, witness } = place
  if (plan.requests.office === 0) return
  const attackers = await gather(urls, String(Date.now()), OFFICE)
  const admin = attackers.all.find(({ kind }) => kind === 'admin')!
  try {
    const { before, attempts } = await prepared(place, attackers)
    const somewhere = (surface: Surface, random: Random, anybody: Attackers['all'][number]) =>
      attempts[random.pick(FROM_OFFICE)](surface, random, random.chance(0.8) ? admin : anybody)
    await storm(place, 'office', attackers, somewhere)

    const { changed, made } = await remainsOf(place, before)
    for (const change of changed)
      if (!isLegalForOffice(change, admin.uid!))
        witness.wrong(`the office changed: ${told(change)}`)
    for (const name of made) await removeFile(ports.storage, name)
    await database.put('', before.tree as Value)
    for (const uid of madeBy(changed)) await removeAccount(urls, uid)
    await restoreAccounts(database, urls.auth)
  } finally {
    await attackers.leave()
  }
}

const told = (change: Changed): string => JSON.stringify(change).slice(0, 400)

const isOwnFile = (name: string, { uids }: Attackers): boolean => {
  const [root = '', second = '', third = ''] = name.split('/')
  return (root === 'users' && uids.has(second)) || (root === 'bookings' && uids.has(third))
}

/** Who has an account that was not there before. */
const madeBy = (changed: readonly Changed[]): string[] =>
  changed.flatMap(({ path, before }) => {
    const [branch, uid = '', ...rest] = path.split('/')
    return branch === 'users' && rest.length === 0 && (before ?? null) === null ? [uid] : []
  })

/** Undoes what strangers did, sign-in accounts of those who signed up included. */
const putBack = async (
  changed: readonly Changed[],
  { urls, database }: Place,
  attackers: Attackers,
) => {
  for (const { path, before } of changed)
    if (!path.startsWith('rate_limits')) await database.put(path, (before ?? null) as Value)
  for (const uid of madeBy(changed)) if (!attackers.uids.has(uid)) await removeAccount(urls, uid)
}
