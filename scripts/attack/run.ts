import { violations, type DatabaseTree } from '~/domain/invariants'
import { randomFrom, type Random } from '~/domain/testing/random'
import type { Value } from '~/domain/booking/change'
import { localDatabase, PROJECT } from '../localDatabase'
import type { Ports } from '../ports'
import type { Urls } from '../suiteConfig'
import { gather, type Attacker, type Attackers } from './attackers'
import { changesBetween, isLegal, type Changed } from './changes'
import { aMessage, atRest, openLine, type Line } from './database'
import { atDoor, DOORS } from './doors'
import { atFiles, filesOf, removeFile } from './files'
import { heldBy, type Held } from './memory'
import { hangUp, send, type Answer, type Asked } from './requests'
import { oversize, slowLoris, type Strength } from './siege'
import { spoilsOf } from './spoils'

export const SURFACES = ['functions', 'rest', 'websocket', 'files'] as const
export type Surface = (typeof SURFACES)[number]

/** What an attack is asked to do. */
export interface Plan extends Strength {
  seed: number
  /** Requests on each surface. */
  requests: Record<Surface, number>
  doors: readonly string[]
}

export const LARGE: Omit<Plan, 'seed'> = {
  requests: { functions: 8000, rest: 58_000, websocket: 36_000, files: 4000 },
  slow: 100,
  oversize: 24 * 1024 * 1024,
  doors: DOORS,
}

/** What became of an attack. Everything in `wrong` should not have happened. */
export interface Report {
  seed: number
  sent: Record<Surface, number>
  /** How often each answer came, by surface and status. */
  answers: Record<string, number>
  wrong: string[]
  /** Faults of the Emulator Suite itself, which is not deployed. */
  foreign: Record<string, number>
  violations: string[]
  held: { before: Held[]; after: Held[] }
  seconds: number
}

export interface Watch {
  progress?(sent: number, of: number, wrong: number): void
  /** Hears at once of what should not have happened. */
  wrong?(line: string): void
}

const MOST_TOLD = 40
/** Node takes 16 kB of head, the token included. */
const LONG_HEAD = 8000
/** Where a stack or a path of the server's machine shows. */
const LEAK = /\n\s+at .+:\d+:\d+|&nbsp;at |node_modules|\.[jt]s:\d+:\d+/
/** More than any process of the suite has a reason to hold, in megabytes. */
const MOST_HELD = 1500

const AT_ONCE: Record<Surface, number> = { functions: 6, rest: 8, websocket: 6, files: 4 }
const FORGET_EVERY = 200

/** Attacks a running suite, looks at what it left, and puts everything back as it was. */
export const attack = async (
  plan: Plan,
  { urls, ports }: { urls: Urls; ports: Ports },
  watch: Watch = {},
): Promise<Report> => {
  const began = Date.now()
  const database = localDatabase(urls.database)
  const attackers = await gather(urls, String(began))
  const before = (await database.get('')) as DatabaseTree
  const filesBefore = await filesOf(ports.storage)
  const spoils = spoilsOf(before, attackers)
  const report: Report = {
    seed: plan.seed,
    sent: { functions: 0, rest: 0, websocket: 0, files: 0 },
    answers: {},
    wrong: [],
    foreign: {},
    violations: [],
    held: { before: await heldBy(ports), after: [] },
    seconds: 0,
  }
  const total = SURFACES.reduce((sum, surface) => sum + plan.requests[surface], 0)
  const wrong = (line: string) => {
    if (report.wrong.length === MOST_TOLD) return
    report.wrong.push(line)
    watch.wrong?.(line)
  }
  const count = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const told = ({ method, path, body }: Asked) =>
    `${method} ${path.replace(/auth=[^&]+/, 'auth=…').slice(0, 300)} ${body?.toString('utf8').slice(0, 300) ?? ''}`
  const judge = (surface: Surface, asked: Asked, answer: Answer) => {
    count(report.answers, `${surface} ${answer.status}`)
    const { status, text } = answer
    const isOurs = surface !== 'files'
    if (status >= 500 && !isOurs) count(report.foreign, `${asked.method} files ${status}`)
    else if (status >= 500) wrong(`${status} for ${told(asked)} → ${text.slice(0, 300)}`)
    // A head that is too long is answered, but the connection may be gone before the answer is read.
    else if (status === 0 && asked.path.length < LONG_HEAD)
      wrong(`no answer (${text}) for ${told(asked)}`)
    else if (status >= 400 && isOurs && LEAK.test(text))
      wrong(`a stack or path in ${status} for ${told(asked)} → ${text.slice(0, 400)}`)
  }
  const step = (surface: Surface) => {
    report.sent[surface] += 1
    const sent = SURFACES.reduce((sum, one) => sum + report.sent[one], 0)
    watch.progress?.(sent, total, report.wrong.length)
  }
  const pool = async (
    surface: Surface,
    one: (random: Random, attacker: Attacker) => Promise<void>,
  ) => {
    let left = plan.requests[surface]
    const worker = async (_: unknown, n: number) => {
      const random = randomFrom(plan.seed * 1009 + SURFACES.indexOf(surface) * 101 + n)
      while (left > 0) {
        left -= 1
        await one(random, random.pick(attackers.all))
        step(surface)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE[surface] }, worker))
  }

  try {
    await pool('rest', async (random, attacker) => {
      const asked = atRest(random, attacker, spoils, ports.database)
      judge('rest', asked, await send(asked))
    })
    const lines = new Map<Random, { line: Line; attacker: Attacker; left: number }>()
    await pool('websocket', async (random, anybody) => {
      let mine = lines.get(random)
      if (!mine || !mine.line.open || mine.left === 0) {
        mine?.line.close()
        const line = await openLine(ports.database, anybody)
        mine = { line, attacker: anybody, left: random.whole(5, 60) }
        lines.set(random, mine)
      }
      mine.left -= 1
      const message = aMessage(random, mine.attacker, spoils)
      await mine.line.say(message)
      const { code, open } = mine.line
      count(report.answers, `websocket ${open ? 'open' : `closed ${code}`}`)
      if (code === 1011) wrong(`a fault behind the websocket: ${message.toString().slice(0, 300)}`)
    })
    for (const { line } of lines.values()) line.close()
    await pool('files', async (random, attacker) => {
      const asked = atFiles(random, attacker, spoils, ports.storage)
      judge('files', asked, await send(asked))
    })
    const busy = new Map<string, Promise<void>>()
    await pool('functions', async (random, attacker) => {
      if (report.sent.functions % FORGET_EVERY === 0) await database.put('rate_limits', null)
      const door = random.pick(plan.doors)
      // One at a time through each: the suite starts a process for every call that finds the others busy.
      const knocked = (busy.get(door) ?? Promise.resolve()).then(async () => {
        const asked = atDoor(random, door, attacker, spoils, ports.functions)
        judge('functions', asked, await send(asked))
      })
      busy.set(door, knocked)
      await knocked
    })
    report.wrong.push(...(await slowLoris(ports, plan)), ...(await oversize(ports, plan)))
    report.held.after = await heldBy(ports)
    for (const { process, megabytes } of report.held.after)
      if (megabytes > MOST_HELD) wrong(`a process (${process}) holds ${megabytes} MB`)

    const after = (await database.get('')) as DatabaseTree
    const changed = changesBetween(before, after)
    for (const change of changed)
      if (!isLegal(change, attackers))
        report.wrong.push(`changed: ${JSON.stringify(change).slice(0, 400)}`)
    report.violations = violations(after)
    const made = (await filesOf(ports.storage)).filter((name) => !filesBefore.includes(name))
    for (const name of made) {
      if (!isOwnFile(name, attackers)) wrong(`a file was made: ${name}`)
      await removeFile(ports.storage, name)
    }
    for (const name of filesBefore)
      if (!(await filesOf(ports.storage)).includes(name)) wrong(`a file is gone: ${name}`)
    await putBack(changed, { urls, attackers })
  } finally {
    await attackers.leave()
    await database.put('rate_limits', null)
    hangUp()
  }
  report.seconds = Math.round((Date.now() - began) / 1000)
  return report
}

const isOwnFile = (name: string, { uids }: Attackers): boolean => {
  const [root = '', second = '', third = ''] = name.split('/')
  return (root === 'users' && uids.has(second)) || (root === 'bookings' && uids.has(third))
}

/** Undoes what the attack did, sign-in accounts of those who signed up included. */
const putBack = async (
  changed: readonly Changed[],
  { urls, attackers }: { urls: Urls; attackers: Attackers },
) => {
  const database = localDatabase(urls.database)
  for (const { path, before } of changed) {
    const [branch, uid = '', ...rest] = path.split('/')
    if (branch === 'rate_limits') continue
    await database.put(path, (before ?? null) as Value)
    if (
      branch !== 'users' ||
      rest.length > 0 ||
      (before ?? null) !== null ||
      attackers.uids.has(uid)
    )
      continue
    await fetch(
      `${urls.auth}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:delete`,
      {
        method: 'POST',
        headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
        body: JSON.stringify({ localId: uid }),
      },
    )
  }
}
