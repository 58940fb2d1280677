import type { Random } from '~/domain/data/seededRandom'
import type { Attacker } from './attackers'
import { FILE_CONTENTS, OBJECTS_PATH, createFileName, CONTENT_TYPES } from './fileRequests'
import {
  pickHostileText,
  createHostileValue,
  toJsonText,
  type Json,
  toWellFormed,
} from './hostileValues'
import { sendRequest, type HttpResponse, type HttpRequest } from './httpRequest'
import type { Targets } from './targets'

const COMMANDS = [
  ...['upload', 'upload', 'upload, finalize', 'upload, finalize', 'finalize', 'query', 'cancel'],
  ...['start, upload', 'FINALIZE', 'x', ''],
]
const MAX_STARTED_UPLOADS = 50

/** Multipart picture uploads: any attacker may continue an upload that another one started. */
export class UploadAttacks {
  private readonly startedUploads: string[] = []

  /** Sends one hostile request: the start of an upload, or a part of one that is under way. */
  async sendNext(
    random: Random,
    attacker: Attacker,
    targets: Targets,
    port: number,
  ): Promise<Exchange> {
    const isBeginning = this.startedUploads.length === 0 || random.chance(0.3)
    const request = isBeginning
      ? createStartRequest(random, attacker, targets, port)
      : createPartRequest(
          random,
          attacker,
          random.chance(0.95) ? random.pick(this.startedUploads) : pickHostileText(random),
          port,
        )
    const response = await sendRequest(request)
    const id = response.headers['x-gupload-uploadid']
    if (isBeginning && typeof id === 'string') this.startedUploads.push(id)
    if (this.startedUploads.length > MAX_STARTED_UPLOADS) this.startedUploads.shift()
    return { request, response }
  }
}

interface Exchange {
  request: HttpRequest
  response: HttpResponse
}

const createHeaders = (random: Random, { token }: Attacker): Record<string, string> => ({
  ...(token !== null && random.chance(0.8) && { Authorization: `Firebase ${token}` }),
  'X-Goog-Upload-Protocol': random.chance(0.95) ? 'resumable' : pickHostileText(random),
})

const createStartRequest = (
  random: Random,
  attacker: Attacker,
  targets: Targets,
  port: number,
): HttpRequest => {
  const type = random.pick(CONTENT_TYPES)
  const fileMetadata: Json = random.chance(0.8)
    ? { contentType: type, metadata: { a: pickHostileText(random) } }
    : { contentType: createHostileValue(random), metadata: createHostileValue(random) }
  return {
    port,
    method: 'POST',
    path: `${OBJECTS_PATH}?name=${createFileName(random, attacker, targets)}`,
    headers: {
      ...createHeaders(random, attacker),
      'Content-Type': 'application/json',
      'X-Goog-Upload-Command': 'start',
      'X-Goog-Upload-Header-Content-Length': random.pick(['5', '-1', '1e99', '99999999999', 'x']),
      'X-Goog-Upload-Header-Content-Type': type,
    },
    body: Buffer.from(random.chance(0.95) ? toJsonText(fileMetadata) : '{'),
  }
}

const createPartRequest = (
  random: Random,
  attacker: Attacker,
  id: string,
  port: number,
): HttpRequest => ({
  port,
  method: random.pick(['POST', 'POST', 'POST', 'PUT']),
  path: `${OBJECTS_PATH}?name=x&upload_id=${encodeURIComponent(toWellFormed(id))}&upload_protocol=resumable`,
  headers: {
    ...createHeaders(random, attacker),
    'Content-Type': random.pick(CONTENT_TYPES),
    'X-Goog-Upload-Command': random.pick(COMMANDS),
    'X-Goog-Upload-Offset': random.pick(['0', '5', '-1', '1e9', 'NaN', '']),
  },
  body: Buffer.from(random.pick(FILE_CONTENTS), 'latin1'),
})
