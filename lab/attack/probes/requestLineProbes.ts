import { BUCKET, NAMESPACE, PROJECT } from '~/scripts/local/localDatabase'
import { DEFAULT_PORTS, HOST, type Ports } from '~/scripts/local/ports'
import { MALFORMED_REQUESTS, sendRawRequest } from '~/scripts/local/rawRequest'
import { firstProblem, createProbes, type Probe } from './probe'
import type { ProbeContext } from './probeContext'

const PORT_NAMES = Object.keys(DEFAULT_PORTS) as (keyof Ports)[]
/** Returns true when the functions answer. A new account has a request limit of its own. */
const isHealthy = async (scene: ProbeContext): Promise<boolean> => {
  const { token } = await scene.createUser()
  const response = await scene
    .get('health', { Authorization: `Bearer ${token}` })
    .catch(() => ({ status: 0 }))
  return response.status === 200
}

const createPortProbe =
  (name: keyof Ports): Probe['run'] =>
  async (scene) => {
    const problems: string[] = []
    for (const [what, bytes] of MALFORMED_REQUESTS) {
      const status = await sendRawRequest(scene.ports[name], bytes)
      if (status >= 500) problems.push(`${what}: ${status}`)
    }
    return firstProblem(
      problems.length > 0 && problems.join(', '),
      !(await isHealthy(scene)) && 'the suite has ended',
    )
  }

/** Addresses that a page of another site must not read with the owner’s token. */
const FOREIGN_ADDRESSES: readonly [string, keyof Ports, string][] = [
  ['every user', 'database', `/users.json?ns=${NAMESPACE}`],
  ['the sign-in codes', 'auth', `/emulator/v1/projects/${PROJECT}/verificationCodes`],
  ['the list of files', 'storage', `/v0/b/${BUCKET}/o`],
  ['the list of emulators', 'hub', '/emulators'],
]

export const requestLineProbes = createProbes(
  'request lines',
  Object.fromEntries(
    PORT_NAMES.map((name) => [
      `the ${name} port keeps serving after a malformed request`,
      createPortProbe(name),
    ]),
  ),
)

export const originProbes = createProbes('origins', {
  'a page of another site cannot read with the owner’s token, the site’s own page can': async (
    scene,
  ) => {
    const problems: string[] = []
    for (const [what, name, path] of FOREIGN_ADDRESSES) {
      const ask = (origin: string) =>
        fetch(`http://${HOST}:${scene.ports[name]}${path}`, {
          headers: { Authorization: 'Bearer owner', Origin: origin },
        })
      for (const origin of ['https://evil.example', 'null']) {
        const response = await ask(origin)
        const grant = response.headers.get('access-control-allow-origin')
        if (response.status !== 403 || grant !== null)
          problems.push(`${what} for ${origin}: ${response.status}, grant ${grant}`)
      }
      const { status } = await ask(scene.urls.web)
      if (status !== 200) problems.push(`${what} for the site itself: ${status}`)
    }
    return problems.length > 0 ? problems.join('; ') : undefined
  },

  'a page whose name now points to this machine cannot read with the owner’s token': async (
    scene,
  ) => {
    const problems: string[] = []
    for (const [what, name, path] of FOREIGN_ADDRESSES) {
      const status = await sendRawRequest(
        scene.ports[name],
        `GET ${path} HTTP/1.1\r\nHost: evil.example:${scene.ports[name]}\r\nAuthorization: Bearer owner\r\nConnection: close\r\n\r\n`,
      )
      if (status !== 403) problems.push(`${what}: ${status}`)
    }
    return problems.length > 0 ? problems.join('; ') : undefined
  },

  'a page of another site cannot write with the owner’s token': async (scene) => {
    const mark = scene.createPushKey()
    const url = `${scene.urls.database}/internal/probe/${mark}.json?ns=${NAMESPACE}`
    const body = JSON.stringify({ revision: 1 })
    const headers = { Origin: 'https://evil.example' }
    await fetch(url, {
      method: 'PUT',
      body,
      headers: { ...headers, Authorization: 'Bearer owner' },
    })
    await fetch(`${url}&auth=owner`, { method: 'POST', body, headers })
    await fetch(`${url}&access_token=owner`, { method: 'PUT', body, headers })
    return (await scene.database.get(`internal/probe/${mark}`)) === null
      ? undefined
      : 'the write was accepted'
  },

  'a script on a page of another site cannot read responses of the functions': async (scene) => {
    const { token } = await scene.createUser()
    const response = await fetch(`${scene.urls.functions}/googleapis-getaddress`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: 'https://evil.example',
        Authorization: `Bearer ${token}`,
      },
      body: JSON.stringify({ latlng: '-34.9,-56.18' }),
    })
    const grant = response.headers.get('access-control-allow-origin')
    return grant === null ? undefined : `granted to ${grant}`
  },
})
