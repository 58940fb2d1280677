import type { Random } from '~/domain/testing/random'
import type { LocalDatabase } from '../localDatabase'
import type { Ports } from '../ports'
import type { Attacker } from './attackers'
import { aMessage, aPoll, atRest } from './database'
import { atDoor } from './doors'
import { atFiles } from './files'
import { openPoll, openSocket, type Line } from './lines'
import { send } from './requests'
import type { Spoils } from './spoils'
import { Uploads } from './uploads'
import type { Witness } from './witness'

/** Where one may attack; `office` is everywhere, with an admin's rights. */
export const SURFACES = [
  'rest',
  'websocket',
  'polling',
  'files',
  'uploads',
  'functions',
  'office',
] as const
export type Surface = (typeof SURFACES)[number]
type Place = Exclude<Surface, 'office'>
/** Makes one attempt, which counts for `surface`. */
export type Attempt = (surface: Surface, random: Random, attacker: Attacker) => Promise<void>

interface Scene {
  ports: Ports
  spoils: Spoils
  database: LocalDatabase
  doors: readonly string[]
  witness: Witness
}

const FORGET_EVERY = 200

/** Talks over a line of each worker's own, a new one after some messages. */
const throughLines = (
  { spoils, witness }: Scene,
  kind: string,
  open: (surface: Surface, random: Random, attacker: Attacker) => Promise<Line>,
): Attempt => {
  const lines = new Map<Random, { line: Line; attacker: Attacker; left: number }>()
  return async (surface, random, anybody) => {
    let mine = lines.get(random)
    if (!mine || !mine.line.open || mine.left === 0) {
      if (mine?.line.open) mine.line.close()
      const line = await open(surface, random, anybody)
      mine = { line, attacker: anybody, left: random.whole(5, 60) }
      lines.set(random, mine)
    }
    mine.left -= 1
    const message = aMessage(random, mine.attacker, spoils)
    await mine.line.say(message)
    const { code, open: isOpen } = mine.line
    witness.answered(surface, isOpen ? `${kind} open` : `${kind} closed ${code ?? ''}`.trimEnd())
    if (code === 1011)
      witness.wrong(`a fault behind the websocket: ${message.toString().slice(0, 300)}`)
    if (mine.left === 0 && isOpen) mine.line.close()
  }
}

/** One attempt at each place of a running suite. */
export const attemptsAt = (scene: Scene): Record<Place, Attempt> => {
  const { ports, spoils, database, doors, witness } = scene
  const uploads = new Uploads()
  const busy = new Map<string, Promise<void>>()
  let knocks = 0
  const talk = throughLines(scene, 'polling', (surface, random, attacker) =>
    openPoll(ports.database, attacker, random, (asked, answer) =>
      witness.judge(surface, asked, answer),
    ),
  )
  return {
    rest: async (surface, random, attacker) => {
      const asked = atRest(random, attacker, spoils, ports.database)
      witness.judge(surface, asked, await send(asked))
    },
    websocket: throughLines(scene, 'socket', (_, __, attacker) =>
      openSocket(ports.database, attacker),
    ),
    polling: async (surface, random, attacker) => {
      if (random.chance(0.7)) return talk(surface, random, attacker)
      const asked = aPoll(random, ports.database)
      witness.judge(surface, asked, await send(asked))
    },
    files: async (surface, random, attacker) => {
      const asked = atFiles(random, attacker, spoils, ports.storage)
      witness.judgeForeign(surface, asked, await send(asked))
    },
    uploads: async (surface, random, attacker) => {
      const { asked, answer } = await uploads.push(random, attacker, spoils, ports.storage)
      witness.judgeForeign(surface, asked, answer)
    },
    functions: async (surface, random, attacker) => {
      if (knocks++ % FORGET_EVERY === 0) await database.put('rate_limits', null)
      const door = random.pick(doors)
      // One at a time through each: the suite starts a process for every call that finds the others busy.
      const knocked = (busy.get(door) ?? Promise.resolve()).then(async () => {
        const asked = atDoor(random, door, attacker, spoils, ports.functions)
        witness.judge(surface, asked, await send(asked))
      })
      busy.set(door, knocked)
      await knocked
    },
  }
}
