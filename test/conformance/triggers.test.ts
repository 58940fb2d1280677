import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDatabase } from '../../emulator/src/server'
import type { Database } from '../../emulator/src/server'
import { openWire } from './wire'

interface Delivered {
  readonly url: string
  readonly type: string
  readonly event: Record<string, unknown> & { readonly data: { data: unknown; delta: unknown } }
}

let functions: Server
let server: Database
let delivered: Delivered[] = []
let ns = ''
let namespaces = 0
const owner = { Authorization: 'Bearer owner' }

const call = (method: string, path: string, body?: unknown) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=${ns}`, {
    method,
    headers: owner,
    body: body === undefined ? null : JSON.stringify(body),
  })

const register = (key: string, event: string, path: string, more: object = {}) =>
  call('POST', '/.settings/functionTriggers.json', {
    name: `projects/demo/locations/us-central1/triggers/${key}`,
    path,
    event: `google.firebase.database.ref.v1.${event}`,
    topic: `projects/demo/topics/${key}`,
    namespacePattern: ns,
    ...more,
  })

/** The deliveries to one function so far: where, before and change. */
const to = (key: string) =>
  delivered
    .filter(({ url }) => url === `/functions/projects/demo/triggers/${key}`)
    .map(({ event }) => [event['ref'], event.data.data, event.data.delta])

/** Makes a write that `done` hears of, so that everything before it has been delivered. */
const settled = async () => {
  await register('done', 'created', '/done/{id}')
  const id = `x${delivered.length}`
  await call('PUT', `/done/${id}.json`, 1)
  await expect.poll(() => to('done').map(([path]) => path)).toContain(`done/${id}`)
}

beforeAll(async () => {
  functions = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      delivered.push({
        url: request.url ?? '',
        type: request.headers['content-type'] ?? '',
        event: JSON.parse(Buffer.concat(chunks).toString()) as Delivered['event'],
      })
      response.end()
    })
  })
  await new Promise<void>((resolve) => functions.listen(0, '127.0.0.1', resolve))
  const { port } = functions.address() as AddressInfo
  server = await startDatabase({
    host: '127.0.0.1',
    port: 0,
    functions: { host: '127.0.0.1', port },
  })
})
afterAll(async () => {
  await server.close()
  functions.closeAllConnections()
  functions.close()
})
beforeEach(() => {
  ns = `triggers-${namespaces++}`
  delivered = []
})

test('each kind of event goes to whom it concerns, with what was there and what changed', async () => {
  for (const kind of ['created', 'updated', 'deleted', 'written']) {
    await register(kind, kind, '/a/{id}')
  }
  await call('PUT', '/a/x.json', { n: 1, old: true })
  await call('PATCH', '/a/x.json', { n: 2, old: null, 'deep/er': [1] })
  await call('PUT', '/a/x.json', { n: 2, deep: { er: { 0: 1 } } })
  await call('DELETE', '/a/x.json')
  await settled()
  const first = { n: 1, old: true }
  const second = { n: 2, deep: { er: { 0: 1 } } }
  const change = { n: 2, old: null, deep: { er: { 0: 1 } } }
  expect(to('created')).toEqual([['a/x', null, first]])
  expect(to('updated')).toEqual([['a/x', first, change]])
  expect(to('deleted')).toEqual([['a/x', second, null]])
  expect(to('written')).toEqual([
    ['a/x', null, first],
    ['a/x', first, change],
    ['a/x', second, null],
  ])
})

test('a write above tells of every place below that differs, one below of the place above', async () => {
  await call('PUT', '/.json', { a: { x: 1, y: { z: 1 }, w: 1 } })
  await register('each', 'written', 'a/{id}')
  await register('all', 'written', 'a')
  await call('PUT', '/.json', { a: { x: 1, y: { z: 2 }, v: 1 } })
  await call('PUT', '/a/y/z.json', 3)
  await call('PATCH', '/.json', { 'a/x': 5, 'a/v': 1, other: true })
  await settled()
  expect(to('each')).toHaveLength(5)
  expect(to('each')).toEqual(
    expect.arrayContaining([
      ['a/y', { z: 1 }, { z: 2 }],
      ['a/w', 1, null],
      ['a/v', null, 1],
      ['a/y', { z: 2 }, { z: 3 }],
      ['a/x', 1, 5],
    ]),
  )
  expect(to('all').map(([path]) => path)).toEqual(['a', 'a', 'a'])
})

test('captures, globs and instances select', async () => {
  await register('globs', 'created', 'users-*/{uid}/{kind=b*}')
  await register('deep', 'written', 'logs/{rest=**}')
  await register('elsewhere', 'written', 'logs', { namespacePattern: 'other-*' })
  await call('PATCH', '/.json', {
    'users-1/ana/bookings': 1,
    'users-1/ana/other': 1,
    'guests/bo/bookings': 1,
    'logs/a/b/c': 1,
  })
  await settled()
  expect(to('globs')).toEqual([['users-1/ana/bookings', null, 1]])
  expect(to('deep')).toEqual([['logs/a/b/c', null, 1]])
  expect(to('elsewhere')).toEqual([])
})

test('an import and a write that changes nothing are no events', async () => {
  await register('any', 'written', 'a')
  await call('PUT', '/.json?disableTriggers=true&writeSizeLimit=unlimited', { a: { b: 1 } })
  await call('PUT', '/a.json', { b: 1 })
  await settled()
  expect(to('any')).toEqual([])
})

test('an event of the second generation is a CloudEvent that names its author', async () => {
  await register('v2', 'created', 'a/{id}')
  const client = await openWire(server.port, ns)
  await client.request('p', { p: '/a/one', d: 1 })
  const claims = Buffer.from('{"sub":"ana","iat":0}').toString('base64url')
  await client.request('auth', { cred: `e30.${claims}.` })
  await client.request('p', { p: '/a/two', d: 1 })
  await client.request('gauth', { cred: 'owner' })
  await client.request('p', { p: '/a/three', d: 1 })
  client.end()
  await settled()
  const events = delivered.filter(({ url }) => url.endsWith('/v2'))
  expect(events.map(({ event }) => [event['authtype'], event['authid']])).toEqual([
    ['unauthenticated', undefined],
    ['app_user', 'ana'],
    ['admin', undefined],
  ])
  expect(events[0]?.type).toContain('application/cloudevents+json')
  expect(events[0]?.event).toMatchObject({
    specversion: '1.0',
    type: 'google.firebase.database.ref.v1.created',
    subject: 'refs/a/one',
    source: `//firebasedatabase.googleapis.com/projects/_/locations/us-central1/instances/${ns}`,
    instance: ns,
    ref: 'a/one',
    location: 'us-central1',
    firebasedatabasehost: 'firebaseio.com',
  })
})

test('an event of the first generation carries its parameters and author', async () => {
  const name = 'projects/demo/locations/_/functions/v1'
  const event = 'providers/google.firebase.database/eventTypes/ref.write'
  const trigger = { name, path: '/a/{id}/{field}', event, topic: 'projects/demo/topics/v1' }
  await call('POST', '/.settings/functionTriggers.json', trigger)
  await call('PUT', '/a/x/y.json', { deep: 1 })
  await settled()
  const [first] = delivered.filter(({ url }) => url.endsWith('/v1'))
  expect(first?.event).toMatchObject({
    eventType: event,
    resource: `projects/_/instances/${ns}/refs/a/x/y`,
    params: { id: 'x', field: 'y' },
    auth: { admin: true },
    data: { data: null, delta: { deep: 1 } },
  })
  const listed = await (await call('GET', '/.settings/functionTriggers.json')).json()
  expect(listed).toContainEqual(trigger)
})
