import type { Random } from '~/domain/testing/random'
import { BUCKET } from '../localDatabase'
import { HOST } from '../ports'
import type { Attacker } from './attackers'
import { hostileText, wellFormed } from './hostile'
import { send, type Asked } from './requests'
import type { Spoils } from './spoils'

export const OBJECTS = `/v0/b/${BUCKET}/o`
export const TYPES = [
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
export const CONTENTS = [
  '<script>alert(1)</script>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  '\u00ff\u00d8\u00ff\u00e0 not really a picture',
  '',
]

/** A file worth having or making, as it stands in an address. */
export const nameOf = (random: Random, attacker: Attacker, spoils: Spoils): string => {
  const owner = random.chance(0.4) ? (attacker.uid ?? 'nobody') : spoils.user(random)
  const kind = random.pick([
    ...['profile_image', 'licenseImage', 'vehicle/a.webp', 'cartypes/x', 'other', ''],
    hostileText(random).slice(0, 300),
  ])
  const name = random.pick([
    `users/${owner}/${kind}`,
    `bookings/${spoils.booking(random)}/${owner}/pickup_image`,
    `bookings/${spoils.booking(random)}/pickup_image`,
    kind,
    `../${kind}`,
    `users/${owner}/../seed-admin/profile_image`,
  ])
  // The suite's store decodes a name twice, and ends when the second time is one too many.
  return encodeURIComponent(wellFormed(name).replaceAll('%', ''))
}

/** One hostile request to the store of files. */
export const atFiles = (
  random: Random,
  attacker: Attacker,
  spoils: Spoils,
  port: number,
): Asked => {
  const named = nameOf(random, attacker, spoils)
  const type = random.pick(TYPES)
  const headers = {
    ...(attacker.token !== null && { Authorization: `Firebase ${attacker.token}` }),
    ...(type !== '' && { 'Content-Type': type }),
  }
  const body = Buffer.from(random.pick(CONTENTS), 'latin1')
  const metadata = JSON.stringify({ contentType: type, metadata: { a: hostileText(random) } })
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
  return random.pick<() => Asked>([
    () => ({ port, method: 'GET', path: `${OBJECTS}/${named}`, headers }),
    () => ({ port, method: 'GET', path: `${OBJECTS}/${named}?alt=media`, headers }),
    () => ({ port, method: 'GET', path: `${OBJECTS}?prefix=${named}&delimiter=/`, headers }),
    () => ({ port, method: 'DELETE', path: `${OBJECTS}/${named}`, headers }),
    () => ({
      port,
      method: 'POST',
      path: `${OBJECTS}?name=${named}`,
      headers: {
        ...headers,
        'Content-Type': `multipart/related; boundary=${BOUNDARY}`,
        'X-Goog-Upload-Protocol': 'multipart',
      },
      body: multipart,
    }),
  ])()
}

/** Names of all files there are, past the rules. */
export const filesOf = async (port: number): Promise<string[]> => {
  const response = await fetch(`http://${HOST}:${port}${OBJECTS}?maxResults=100000`, {
    headers: { Authorization: 'Bearer owner' },
  })
  const { items = [] } = (await response.json()) as { items?: { name: string }[] }
  return items.map(({ name }) => name).toSorted()
}

/** Removes a file past the rules. */
export const removeFile = (port: number, name: string) =>
  send({
    port,
    method: 'DELETE',
    path: `${OBJECTS}/${encodeURIComponent(name)}`,
    headers: { Authorization: 'Bearer owner' },
  })
