import { describe, expect, it } from 'vitest'
import { MALFORMED_REQUESTS, sendRawRequest } from '~/tools/attack/rawRequest'
import { PROJECT } from '~/scripts/database/localDatabase'
import { DEFAULT_PORTS, HOST, type Ports } from '~/scripts/ports'
import { getSuite } from '../support/testSuite'

const fetchHealth = async () => (await fetch(`${getSuite().urls.functions}/health`)).status
const PORT_NAMES = Object.keys(DEFAULT_PORTS) as (keyof Ports)[]

describe.each(PORT_NAMES)('the %s port', (name) => {
  it('answers malformed requests without a server error and keeps serving', async () => {
    const port = getSuite().ports[name]
    for (const [what, bytes] of MALFORMED_REQUESTS) {
      const status = await sendRawRequest(port, bytes)
      expect([what, status < 500]).toEqual([what, true])
    }
    expect(await fetchHealth()).toBe(200)
  })
})

describe('a page of another origin', () => {
  const paths: [string, keyof Ports, string][] = [
    ['the sign-in codes', 'auth', `/emulator/v1/projects/${PROJECT}/verificationCodes`],
    ['the list of files', 'storage', `/v0/b/${PROJECT}.firebasestorage.app/o`],
    ['the list of emulators', 'hub', '/emulators'],
    ['the database', 'database', `/users.json?shallow=true&ns=${PROJECT}-default-rtdb`],
  ]
  it.each(paths)('cannot read %s with the owner’s token', async (_, name, path) => {
    const ask = (origin: string) =>
      fetch(`http://${HOST}:${getSuite().ports[name]}${path}`, {
        headers: { Authorization: 'Bearer owner', Origin: origin },
      })
    const foreign = await ask('https://evil.example')
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([
      403,
      null,
    ])
    expect((await ask(getSuite().urls.web)).status).toBe(200)
  })
})
