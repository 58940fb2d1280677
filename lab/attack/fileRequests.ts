import type { Random } from '~/domain/data/seededRandom'
import { BUCKET } from '~/scripts/local/localDatabase'
import { HOST } from '~/scripts/local/ports'
import type { Attacker } from './attackers'
import { pickHostileText, toWellFormed } from './hostileValues'
import { sendRequest, type HttpRequest } from './httpRequest'
import type { Targets } from './targets'

export const OBJECTS_PATH = `/v0/b/${BUCKET}/o`
export const CONTENT_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/svg+xml',
  'text/html',
  'text/html; image/jpeg',
  'image/jpeg; text/html',
  'IMAGE/JPEG',
  'application/octet-stream',
  '',
]
const BOUNDARY = 'between-two-parts'
export const FILE_CONTENTS = [
  '<script>alert(1)</script>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '\u00ff\u00d8\u00ff\u00e0 not really a picture',
  '',
]

/** Returns the URL-encoded name of a file that an attacker would want to read or create. */
export const createFileName = (random: Random, attacker: Attacker, targets: Targets): string => {
  const owner = random.chance(0.4) ? (attacker.uid ?? 'nobody') : targets.user(random)
  const kind = random.pick([
    ...['profile_image', 'licenseImage', 'vehicle/a.webp', 'cartypes/x', 'other', ''],
    pickHostileText(random).slice(0, 300),
  ])
  const name = random.pick([
    `users/${owner}/${kind}`,
    `bookings/${targets.booking(random)}/${owner}/pickup_image`,
    `bookings/${targets.booking(random)}/pickup_image`,
    kind,
    `../${kind}`,
    `users/${owner}/../seed-admin/profile_image`,
  ])
  return encodeURIComponent(toWellFormed(name))
}

/** Returns a hostile request to file storage. */
export const createFileRequest = (
  random: Random,
  attacker: Attacker,
  targets: Targets,
  port: number,
): HttpRequest => {
  const named = createFileName(random, attacker, targets)
  const type = random.pick(CONTENT_TYPES)
  const headers = {
    ...(attacker.token !== null && { Authorization: `Firebase ${attacker.token}` }),
    ...(type !== '' && { 'Content-Type': type }),
  }
  const body = Buffer.from(random.pick(FILE_CONTENTS), 'latin1')
  const metadata = JSON.stringify({ contentType: type, metadata: { a: pickHostileText(random) } })
  const part = (type: string, content: string | Buffer) => [
    Buffer.from(`--${BOUNDARY}\r\nContent-Type: ${type}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]
  const multipart = Buffer.concat([
    ...part('application/json', metadata),
    ...part(type, body),
    Buffer.from(`--${BOUNDARY}--`),
  ])
  return random.pick<() => HttpRequest>([
    () => ({ port, method: 'GET', path: `${OBJECTS_PATH}/${named}`, headers }),
    () => ({ port, method: 'GET', path: `${OBJECTS_PATH}/${named}?alt=media`, headers }),
    () => ({ port, method: 'GET', path: `${OBJECTS_PATH}?prefix=${named}&delimiter=/`, headers }),
    () => ({ port, method: 'DELETE', path: `${OBJECTS_PATH}/${named}`, headers }),
    () => ({
      port,
      method: 'POST',
      path: `${OBJECTS_PATH}?name=${named}`,
      headers: {
        ...headers,
        'Content-Type': `multipart/related; boundary=${BOUNDARY}`,
        'X-Goog-Upload-Protocol': 'multipart',
      },
      body: multipart,
    }),
  ])()
}

/** Returns the names of all stored files, without the rules. */
export const listFiles = async (port: number): Promise<string[]> => {
  const response = await fetch(`http://${HOST}:${port}${OBJECTS_PATH}?maxResults=100000`, {
    headers: { Authorization: 'Bearer owner' },
  })
  const { items = [] } = (await response.json()) as { items?: { name: string }[] }
  return items.map(({ name }) => name).toSorted()
}

/** Removes a file without the rules. */
export const removeFile = (port: number, name: string) =>
  sendRequest({
    port,
    method: 'DELETE',
    path: `${OBJECTS_PATH}/${encodeURIComponent(name)}`,
    headers: { Authorization: 'Bearer owner' },
  })
