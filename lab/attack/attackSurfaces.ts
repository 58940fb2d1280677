import type { Random } from '~/domain/data/seededRandom'
import type { LocalDatabase } from '~/scripts/local/localDatabase'
import type { Ports } from '~/scripts/local/ports'
import type { Attacker } from './attackers'
import { createWireMessage, createPollRequest, createRestRequest } from './databaseRequests'
import { createEndpointRequest } from './endpointRequests'
import { createFileRequest } from './fileRequests'
import { openLongPoll, openSocket, type Connection } from './connections'
import { sendRequest } from './httpRequest'
import type { Targets } from './targets'
import { UploadAttacks } from './uploadAttacks'
import type { AttackRecorder } from './attackRecorder'
import type { Surface } from './surfaces'

type SingleSurface = Exclude<Surface, 'office'>

/** Makes one attempt, which counts for `surface`. */
export type Attempt = (surface: Surface, random: Random, attacker: Attacker) => Promise<void>

interface SurfaceContext {
  ports: Ports
  targets: Targets
  database: LocalDatabase
  endpoints: readonly string[]
  recorder: AttackRecorder
}

const RATE_LIMIT_RESET_EVERY = 200

/** Returns an attempt that uses one connection per worker and replaces it after some messages. */
const createConnectionAttempt = (
  { targets, recorder }: SurfaceContext,
  kind: string,
  open: (surface: Surface, random: Random, attacker: Attacker) => Promise<Connection>,
): Attempt => {
  const lines = new Map<Random, { line: Connection; attacker: Attacker; left: number }>()
  return async (surface, random, attacker) => {
    let mine = lines.get(random)
    if (!mine || !mine.line.isOpen || mine.left === 0) {
      if (mine?.line.isOpen) mine.line.close()
      const line = await open(surface, random, attacker)
      mine = { line, attacker, left: random.integer(5, 60) }
      lines.set(random, mine)
    }
    mine.left -= 1
    const message = createWireMessage(random, mine.attacker, targets)
    await mine.line.sendMessage(message)
    const { closeCode, isOpen } = mine.line
    recorder.countResponse(
      surface,
      isOpen ? `${kind} open` : `${kind} closed ${closeCode ?? ''}`.trimEnd(),
    )
    if (closeCode === 1011)
      recorder.recordProblem(`a fault behind the websocket: ${message.toString().slice(0, 300)}`)
    if (mine.left === 0 && isOpen) mine.line.close()
  }
}

/** Returns an attempt for each surface of a running suite. */
export const createAttempts = (scene: SurfaceContext): Record<SingleSurface, Attempt> => {
  const { ports, targets, database, endpoints, recorder } = scene
  const uploads = new UploadAttacks()
  const busy = new Map<string, Promise<void>>()
  let callCount = 0
  const poll = createConnectionAttempt(scene, 'polling', (surface, random, attacker) =>
    openLongPoll(ports.database, attacker, random, (request, response) =>
      recorder.checkResponse(surface, request, response),
    ),
  )
  return {
    rest: async (surface, random, attacker) => {
      const request = createRestRequest(random, attacker, targets, ports.database)
      recorder.checkResponse(surface, request, await sendRequest(request))
    },
    websocket: createConnectionAttempt(scene, 'socket', (_, __, attacker) =>
      openSocket(ports.database, attacker),
    ),
    polling: async (surface, random, attacker) => {
      if (random.chance(0.7)) return poll(surface, random, attacker)
      const request = createPollRequest(random, ports.database)
      recorder.checkResponse(surface, request, await sendRequest(request))
    },
    files: async (surface, random, attacker) => {
      const request = createFileRequest(random, attacker, targets, ports.storage)
      recorder.checkEmulatorResponse(surface, request, await sendRequest(request))
    },
    uploads: async (surface, random, attacker) => {
      const { request, response } = await uploads.sendNext(random, attacker, targets, ports.storage)
      recorder.checkEmulatorResponse(surface, request, response)
    },
    functions: async (surface, random, attacker) => {
      if (callCount++ % RATE_LIMIT_RESET_EVERY === 0) await database.put('rate_limits', null)
      const endpoint = random.pick(endpoints)
      // Calls each endpoint one at a time, because the suite starts a new process for every call
      // that finds the others busy.
      const called = (busy.get(endpoint) ?? Promise.resolve()).then(async () => {
        const request = createEndpointRequest(random, endpoint, attacker, targets, ports.functions)
        recorder.checkResponse(surface, request, await sendRequest(request))
      })
      busy.set(endpoint, called)
      await called
    },
  }
}
