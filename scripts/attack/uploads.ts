import type { Random } from '~/domain/testing/random'
import type { Attacker } from './attackers'
import { CONTENTS, OBJECTS, nameOf, TYPES } from './files'
import { hostileText, hostileValue, textOf, type Json, wellFormed } from './hostile'
import { send, type Answer, type Asked } from './requests'
import type { Spoils } from './spoils'

const COMMANDS = [
  ...['upload', 'upload', 'upload, finalize', 'upload, finalize', 'finalize', 'query', 'cancel'],
  ...['start, upload', 'FINALIZE', 'x', ''],
]
const MOST = 50

/** Pictures that are sent in parts: who has begun one, anybody goes on with. */
export class Uploads {
  private readonly begun: string[] = []

  /** Sends one hostile request: a beginning, or a part of what somebody has begun. */
  async push(random: Random, attacker: Attacker, spoils: Spoils, port: number): Promise<Sent> {
    const isBeginning = this.begun.length === 0 || random.chance(0.3)
    const asked = isBeginning
      ? beginning(random, attacker, spoils, port)
      : part(
          random,
          attacker,
          random.chance(0.95) ? random.pick(this.begun) : hostileText(random),
          port,
        )
    const answer = await send(asked)
    const id = answer.headers['x-gupload-uploadid']
    if (isBeginning && typeof id === 'string') this.begun.push(id)
    if (this.begun.length > MOST) this.begun.shift()
    return { asked, answer }
  }
}

interface Sent {
  asked: Asked
  answer: Answer
}

const headersOf = (random: Random, { token }: Attacker): Record<string, string> => ({
  ...(token !== null && random.chance(0.8) && { Authorization: `Firebase ${token}` }),
  'X-Goog-Upload-Protocol': random.chance(0.95) ? 'resumable' : hostileText(random),
})

const beginning = (random: Random, attacker: Attacker, spoils: Spoils, port: number): Asked => {
  const type = random.pick(TYPES)
  const told: Json = random.chance(0.8)
    ? { contentType: type, metadata: { a: hostileText(random) } }
    : { contentType: hostileValue(random), metadata: hostileValue(random) }
  return {
    port,
    method: 'POST',
    path: `${OBJECTS}?name=${nameOf(random, attacker, spoils)}`,
    headers: {
      ...headersOf(random, attacker),
      'Content-Type': 'application/json',
      'X-Goog-Upload-Command': 'start',
      'X-Goog-Upload-Header-Content-Length': random.pick(['5', '-1', '1e99', '99999999999', 'x']),
      'X-Goog-Upload-Header-Content-Type': type,
    },
    body: Buffer.from(random.chance(0.95) ? textOf(told) : '{'),
  }
}

const part = (random: Random, attacker: Attacker, id: string, port: number): Asked => ({
  port,
  method: random.pick(['POST', 'POST', 'POST', 'PUT']),
  path: `${OBJECTS}?name=x&upload_id=${encodeURIComponent(wellFormed(id))}&upload_protocol=resumable`,
  headers: {
    ...headersOf(random, attacker),
    'Content-Type': random.pick(TYPES),
    'X-Goog-Upload-Command': random.pick(COMMANDS),
    'X-Goog-Upload-Offset': random.pick(['0', '5', '-1', '1e9', 'NaN', '']),
  },
  body: Buffer.from(random.pick(CONTENTS), 'latin1'),
})
