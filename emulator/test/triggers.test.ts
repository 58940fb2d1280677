import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDatabase } from '../src/server'
import type { RunningDatabase } from '../src/server'
import { openWireClient } from './wireClient'

interface DeliveredEvent {
  readonly url: string
  readonly type: string
  readonly event: Record<string, unknown> & { readonly data: { data: unknown; delta: unknown } }
}

let functions: Server
let server: RunningDatabase
let deliveredEvents: DeliveredEvent[] = []
let ns = ''
let namespaces = 0
const ownerHeaders = { Authorization: 'Bearer owner' }

const callRest = (method: string, path: string, body?: unknown) =>
  fetch(`http://127.0.0.1:${server.port}${path}${path.includes('?') ? '&' : '?'}ns=${ns}`, {
    method,
    headers: ownerHeaders,
    body: body === undefined ? null : JSON.stringify(body),
  })

const registerTrigger = (key: string, event: string, path: string, more: object = {}) =>
  callRest('POST', '/.settings/functionTriggers.json', {
    name: `projects/demo/locations/us-central1/triggers/${key}`,
    path,
    event: `google.firebase.database.ref.v1.${event}`,
    topic: `projects/demo/topics/${key}`,
    namespacePattern: ns,
    ...more,
  })

/** Returns the deliveries to one function so far as [path, value before, change]. */
const listDeliveries = (key: string) =>
  deliveredEvents
    .filter(({ url }) => url === `/functions/projects/demo/triggers/${key}`)
    .map(({ event }) => [event['ref'], event.data.data, event.data.delta])

/** Makes a write that triggers `done`, which proves that all earlier events were delivered. */
const waitForDeliveries = async () => {
  await registerTrigger('done', 'created', '/done/{id}')
  const id = `x${deliveredEvents.length}`
  await callRest('PUT', `/done/${id}.json`, 1)
  await expect.poll(() => listDeliveries('done').map(([path]) => path)).toContain(`done/${id}`)
}

beforeAll(async () => {
  functions = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      deliveredEvents.push({
        url: request.url ?? '',
        type: request.headers['content-type'] ?? '',
        event: JSON.parse(Buffer.concat(chunks).toString()) as DeliveredEvent['event'],
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
  deliveredEvents = []
})

test('each kind of event reaches its triggers with the old value and the change', async () => {
  for (const kind of ['created', 'updated', 'deleted', 'written']) {
    await registerTrigger(kind, kind, '/a/{id}')
  }
  await callRest('PUT', '/a/x.json', { n: 1, old: true })
  await callRest('PATCH', '/a/x.json', { n: 2, old: null, 'deep/er': [1] })
  await callRest('PUT', '/a/x.json', { n: 2, deep: { er: { 0: 1 } } })
  await callRest('DELETE', '/a/x.json')
  await waitForDeliveries()
  const first = { n: 1, old: true }
  const second = { n: 2, deep: { er: { 0: 1 } } }
  const change = { n: 2, old: null, deep: { er: { 0: 1 } } }
  expect(listDeliveries('created')).toEqual([['a/x', null, first]])
  expect(listDeliveries('updated')).toEqual([['a/x', first, change]])
  expect(listDeliveries('deleted')).toEqual([['a/x', second, null]])
  expect(listDeliveries('written')).toEqual([
    ['a/x', null, first],
    ['a/x', first, change],
    ['a/x', second, null],
  ])
})

test('a write to a parent fires every changed child’s trigger, and a write to a child fires the parent’s', async () => {
  await callRest('PUT', '/.json', { a: { x: 1, y: { z: 1 }, w: 1 } })
  await registerTrigger('each', 'written', 'a/{id}')
  await registerTrigger('all', 'written', 'a')
  await callRest('PUT', '/.json', { a: { x: 1, y: { z: 2 }, v: 1 } })
  await callRest('PUT', '/a/y/z.json', 3)
  await callRest('PATCH', '/.json', { 'a/x': 5, 'a/v': 1, other: true })
  await waitForDeliveries()
  expect(listDeliveries('each')).toHaveLength(5)
  expect(listDeliveries('each')).toEqual(
    expect.arrayContaining([
      ['a/y', { z: 1 }, { z: 2 }],
      ['a/w', 1, null],
      ['a/v', null, 1],
      ['a/y', { z: 2 }, { z: 3 }],
      ['a/x', 1, 5],
    ]),
  )
  expect(listDeliveries('all').map(([path]) => path)).toEqual(['a', 'a', 'a'])
})

test('path captures, globs and instance names select the triggers', async () => {
  await registerTrigger('globs', 'created', 'users-*/{uid}/{kind=b*}')
  await registerTrigger('deep', 'written', 'logs/{rest=**}')
  await registerTrigger('elsewhere', 'written', 'logs', { namespacePattern: 'other-*' })
  await callRest('PATCH', '/.json', {
    'users-1/ana/bookings': 1,
    'users-1/ana/other': 1,
    'guests/bo/bookings': 1,
    'logs/a/b/c': 1,
  })
  await waitForDeliveries()
  expect(listDeliveries('globs')).toEqual([['users-1/ana/bookings', null, 1]])
  expect(listDeliveries('deep')).toEqual([['logs/a/b/c', null, 1]])
  expect(listDeliveries('elsewhere')).toEqual([])
})

test('an import and a write that changes nothing fire no event', async () => {
  await registerTrigger('any', 'written', 'a')
  await callRest('PUT', '/.json?disableTriggers=true&writeSizeLimit=unlimited', { a: { b: 1 } })
  await callRest('PUT', '/a.json', { b: 1 })
  await waitForDeliveries()
  expect(listDeliveries('any')).toEqual([])
})

test('a second-generation event is a CloudEvent that names its author', async () => {
  await registerTrigger('v2', 'created', 'a/{id}')
  const client = await openWireClient(server.port, ns)
  await client.request('p', { p: '/a/one', d: 1 })
  const claims = Buffer.from('{"sub":"ana","iat":0}').toString('base64url')
  await client.request('auth', { cred: `e30.${claims}.` })
  await client.request('p', { p: '/a/two', d: 1 })
  await client.request('gauth', { cred: 'owner' })
  await client.request('p', { p: '/a/three', d: 1 })
  client.close()
  await waitForDeliveries()
  const events = deliveredEvents.filter(({ url }) => url.endsWith('/v2'))
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

test('a first-generation event has its parameters and its author', async () => {
  const name = 'projects/demo/locations/_/functions/v1'
  const event = 'providers/google.firebase.database/eventTypes/ref.write'
  const trigger = { name, path: '/a/{id}/{field}', event, topic: 'projects/demo/topics/v1' }
  await callRest('POST', '/.settings/functionTriggers.json', trigger)
  await callRest('PUT', '/a/x/y.json', { deep: 1 })
  await waitForDeliveries()
  const [first] = deliveredEvents.filter(({ url }) => url.endsWith('/v1'))
  expect(first?.event).toMatchObject({
    eventType: event,
    resource: `projects/_/instances/${ns}/refs/a/x/y`,
    params: { id: 'x', field: 'y' },
    auth: { admin: true },
    data: { data: null, delta: { deep: 1 } },
  })
  const listed = await (await callRest('GET', '/.settings/functionTriggers.json')).json()
  expect(listed).toContainEqual(trigger)
})
