import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { createSeededRandom, type Random } from '~/domain/data/seededRandom'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { restoreAccounts } from '~/scripts/database/authAccounts'
import { openLocalDatabase, type LocalDatabase } from '~/scripts/local/localDatabase'
import type { Ports } from '~/scripts/local/ports'
import type { Urls } from '~/scripts/local/suiteConfig'
import {
  createAttackers,
  OFFICE_KINDS,
  removeAccount,
  STRANGER_KINDS,
  type AttackerGroup,
} from './attackers'
import {
  findChanges,
  isAllowedChange,
  isAllowedForAdmin,
  type DatabaseChange,
} from './databaseChanges'
import { ENDPOINTS } from './endpointRequests'
import { listFiles, removeFile } from './fileRequests'
import { measureMemory } from './processMemory'
import { ALL_PROBES } from './probes/allProbes'
import { openProbeContext } from './probes/probeContext'
import { closeConnections } from './httpRequest'
import { sendOversized, slowLoris } from './loadAttacks'
import { collectTargets } from './targets'
import { createAttempts, type Attempt } from './attackSurfaces'
import { AttackRecorder, type AttackReport, type AttackObserver } from './attackRecorder'
import type { AttackPlan } from './attackPlan'
import { SURFACES, type Surface } from './surfaces'

export const LARGE_ATTACK: Omit<AttackPlan, 'seed'> = {
  requests: {
    rest: 58_000,
    websocket: 36_000,
    polling: 10_000,
    files: 4000,
    uploads: 4000,
    functions: 8000,
    office: 6000,
  },
  slowConnections: 100,
  oversizeBytes: 24 * 1024 * 1024,
  endpoints: ENDPOINTS,
  probes: ALL_PROBES,
}

/** Megabytes that no process of the suite should ever exceed. */
const MAX_PROCESS_MEGABYTES = 1500

const CONCURRENCY: Record<Surface, number> = {
  ...{ rest: 8, websocket: 6, polling: 6, files: 4, uploads: 4, functions: 6, office: 4 },
}

const ADMIN_SURFACES = ['rest', 'rest', 'websocket', 'files', 'functions', 'functions'] as const

interface AttackContext {
  plan: AttackPlan
  urls: Urls
  ports: Ports
  database: LocalDatabase
  recorder: AttackRecorder
}

/** Attacks a running suite, checks the data it left and restores the previous state. */
export const runAttack = async (
  plan: AttackPlan,
  { urls, ports }: { urls: Urls; ports: Ports },
  watch: AttackObserver = {},
): Promise<AttackReport> => {
  const began = Date.now()
  const recorder = new AttackRecorder(plan, watch)
  const place: AttackContext = {
    plan,
    urls,
    ports,
    database: openLocalDatabase(urls.database),
    recorder,
  }
  const { report } = recorder
  try {
    report.memory.before = await measureMemory(ports)
    await runProbes(place)
    await attackAsStrangers(place)
    report.problems.push(...(await slowLoris(ports, plan)), ...(await sendOversized(ports, plan)))
    await attackAsAdmin(place)
    report.memory.after = await measureMemory(ports)
    for (const { process, megabytes } of report.memory.after)
      if (megabytes > MAX_PROCESS_MEGABYTES)
        recorder.recordProblem(`a process (${process}) holds ${megabytes} MB`)
  } finally {
    await place.database.put('rate_limits', null)
    closeConnections()
  }
  report.seconds = Math.round((Date.now() - began) / 1000)
  return report
}

/** Runs the probes of each family of earlier vulnerabilities, one after the other. */
const runProbes = async ({ plan, urls, ports, database, recorder }: AttackContext) => {
  const scene = openProbeContext({ urls, ports })
  try {
    for (const { family, title, run } of plan.probes) {
      // Each probe counts its own calls, so the calls of the previous probe must not use up its
      // limit.
      await database.put('rate_limits', null)
      const problem = await run(scene).catch(
        (fault: unknown) => `it could not be tried: ${String(fault)}`,
      )
      if (problem !== undefined) recorder.recordProblem(`${family}, “${title}”: ${problem}`)
      recorder.report.probes += 1
    }
  } finally {
    await scene.removeAccounts()
  }
}

/** Makes all attempts on a surface, several at a time. */
const runAttempts = async (
  { plan, recorder }: AttackContext,
  surface: Surface,
  attackers: AttackerGroup,
  attempt: Attempt,
) => {
  let left = plan.requests[surface]
  const worker = async (_: unknown, n: number) => {
    const random = createSeededRandom(plan.seed * 1009 + SURFACES.indexOf(surface) * 101 + n)
    while (left > 0) {
      left -= 1
      await attempt(surface, random, random.pick(attackers.all))
      recorder.countAttempt(surface)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY[surface] }, worker))
}

/** The stored data and files, for comparison. */
interface PlatformState {
  tree: DatabaseTree
  files: string[]
}

const readPlatformState = async ({ database, ports }: AttackContext): Promise<PlatformState> => ({
  tree: (await database.get('')) as DatabaseTree,
  files: await listFiles(ports.storage),
})

/** Returns the state before the attack and the attempts that target it. */
const prepareAttempts = async (place: AttackContext, attackers: AttackerGroup) => {
  const before = await readPlatformState(place)
  const targets = collectTargets(before.tree, attackers)
  return {
    before,
    attempts: createAttempts({ ...place, endpoints: place.plan.endpoints, targets }),
  }
}

/**
 * Returns what an attack changed and the files it created and removed. Reports violated invariants.
 */
const findRemains = async (place: AttackContext, before: PlatformState) => {
  const after = await readPlatformState(place)
  place.recorder.report.violations.push(...findViolations(after.tree))
  return {
    changed: findChanges(before.tree, after.tree),
    created: after.files.filter((name) => !before.files.includes(name)),
    gone: before.files.filter((name) => !after.files.includes(name)),
  }
}

/**
 * Attacks without admin rights. An honest caller must have been able to make every change that
 * results.
 */
const attackAsStrangers = async (place: AttackContext) => {
  const { urls, ports, recorder } = place
  const attackers = await createAttackers(urls, String(Date.now()), STRANGER_KINDS)
  try {
    const { before, attempts } = await prepareAttempts(place, attackers)
    for (const surface of SURFACES)
      if (surface !== 'office') await runAttempts(place, surface, attackers, attempts[surface])

    const { changed, created, gone } = await findRemains(place, before)
    for (const change of changed)
      if (!isAllowedChange(change, attackers))
        recorder.recordProblem(`changed: ${describeChange(change)}`)
    for (const name of created) {
      if (!isOwnFile(name, attackers)) recorder.recordProblem(`a file was made: ${name}`)
      await removeFile(ports.storage, name)
    }
    for (const name of gone) recorder.recordProblem(`a file is gone: ${name}`)
    await revertChanges(changed, place, attackers)
  } finally {
    await attackers.removeAccounts()
  }
}

/**
 * Attacks with an admin's rights while other accounts are active. The admin may do harm, but
 * nothing may fail internally and the data must stay consistent. Restores everything afterwards,
 * accounts included.
 */
const attackAsAdmin = async (place: AttackContext) => {
  const { plan, urls, ports, database, recorder } = place
  if (plan.requests.office === 0) return
  const attackers = await createAttackers(urls, String(Date.now()), OFFICE_KINDS)
  const admin = attackers.all.find(({ kind }) => kind === 'admin')!
  try {
    const { before, attempts } = await prepareAttempts(place, attackers)
    const somewhere = (surface: Surface, random: Random, attacker: AttackerGroup['all'][number]) =>
      attempts[random.pick(ADMIN_SURFACES)](surface, random, random.chance(0.8) ? admin : attacker)
    await runAttempts(place, 'office', attackers, somewhere)

    const { changed, created } = await findRemains(place, before)
    for (const change of changed)
      if (!isAllowedForAdmin(change, admin.uid!))
        recorder.recordProblem(`the office changed: ${describeChange(change)}`)
    for (const name of created) await removeFile(ports.storage, name)
    await database.put('', before.tree as DatabaseValue)
    for (const uid of findCreatedUids(changed)) await removeAccount(urls, uid)
    await restoreAccounts(database, urls.auth)
  } finally {
    await attackers.removeAccounts()
  }
}

const describeChange = (change: DatabaseChange): string => JSON.stringify(change).slice(0, 400)

const isOwnFile = (name: string, { uids }: AttackerGroup): boolean => {
  const [root = '', second = '', third = ''] = name.split('/')
  return (root === 'users' && uids.has(second)) || (root === 'bookings' && uids.has(third))
}

/** Returns the ids of accounts that did not exist before. */
const findCreatedUids = (changed: readonly DatabaseChange[]): string[] =>
  changed.flatMap(({ path, before }) => {
    const [branch, uid = '', ...rest] = path.split('/')
    return branch === 'users' && rest.length === 0 && (before ?? null) === null ? [uid] : []
  })

/** Undoes the changes of strangers and removes the sign-in accounts they created. */
const revertChanges = async (
  changed: readonly DatabaseChange[],
  { urls, database }: AttackContext,
  attackers: AttackerGroup,
) => {
  for (const { path, before } of changed)
    if (!path.startsWith('rate_limits')) await database.put(path, (before ?? null) as DatabaseValue)
  for (const uid of findCreatedUids(changed))
    if (!attackers.uids.has(uid)) await removeAccount(urls, uid)
}
