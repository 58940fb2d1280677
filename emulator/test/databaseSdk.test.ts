import { deleteApp as deleteAdmin, initializeApp as initializeAdmin } from 'firebase-admin/app'
import { getDatabase as getAdminDatabase } from 'firebase-admin/database'
import { deleteApp, initializeApp } from 'firebase/app'
import {
  connectDatabaseEmulator,
  endAt,
  equalTo,
  get,
  getDatabase,
  goOffline,
  goOnline,
  increment,
  limitToFirst,
  limitToLast,
  off,
  onChildAdded,
  onChildRemoved,
  onDisconnect,
  onValue,
  orderByChild,
  orderByKey,
  orderByPriority,
  orderByValue,
  push,
  query,
  ref,
  remove,
  runTransaction,
  serverTimestamp,
  set,
  setWithPriority,
  startAfter,
  startAt,
  update,
} from 'firebase/database'
import type { Database as ClientDatabase, DataSnapshot, Query } from 'firebase/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { RunningDatabase } from '../src/server'
import { openTestServer } from './testServer'

let server: RunningDatabase
let namespace = ''
let namespaces = 0
const openResources: (() => Promise<void>)[] = []

const ownerHeaders = { Authorization: 'Bearer owner' }
const callRest = (path: string, init: RequestInit = {}, ns = namespace) => {
  const mark = path.includes('?') ? '&' : '?'
  return fetch(`http://127.0.0.1:${server.port}${path}${mark}ns=${ns}`, init)
}

let apps = 0
const connect = (ns = namespace, uid?: string): ClientDatabase => {
  const app = initializeApp(
    { projectId: 'demo', databaseURL: `http://127.0.0.1:1?ns=${ns}` },
    `c${apps++}`,
  )
  const database = getDatabase(app)
  connectDatabaseEmulator(
    database,
    '127.0.0.1',
    server.port,
    uid === undefined ? {} : { mockUserToken: { sub: uid } },
  )
  openResources.push(() => deleteApp(app))
  return database
}

const setRules = async (rules: object) => {
  const response = await callRest('/.settings/rules.json', {
    method: 'PUT',
    headers: ownerHeaders,
    body: JSON.stringify({ rules }),
  })
  expect(response.status).toBe(200)
}

/** Collects the events that a listener receives. */
const collectEvents = (of: Query) => {
  const seen: unknown[] = []
  const errors: string[] = []
  const stop = onValue(
    of,
    (snapshot: DataSnapshot) => seen.push(snapshot.val()),
    (error) => errors.push(error.message),
  )
  return { seen, errors, stop }
}

beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server.close())
beforeEach(() => {
  namespace = `ns-${namespaces++}`
})
afterEach(async () => {
  await Promise.all(openResources.splice(0).map((close) => close()))
})

describe('values', () => {
  test('a second client reads back a value that the first one set', async () => {
    const value = { name: 'Ana', tags: ['a', 'b'], deep: { on: true, rate: 1.5 }, __proto__x: 1 }
    await set(ref(connect(), 'a/b'), value)
    expect((await get(ref(connect(), 'a/b'))).val()).toEqual(value)
  })

  test('a listener sees another client’s set, update and removal', async () => {
    const { seen } = collectEvents(ref(connect(), 'a'))
    const other = connect()
    await expect.poll(() => seen).toEqual([null])
    await set(ref(other, 'a'), { x: 1, y: 2 })
    await update(ref(other, 'a'), { y: 3, 'z/deep': 4 })
    await remove(ref(other, 'a/x'))
    await remove(ref(other, 'a'))
    await expect
      .poll(() => seen)
      .toEqual([
        null,
        { x: 1, y: 2 },
        { x: 1, y: 3, z: { deep: 4 } },
        { y: 3, z: { deep: 4 } },
        null,
      ])
  })

  test('a multi-path update arrives as one change', async () => {
    const { seen } = collectEvents(ref(connect(), '/'))
    await expect.poll(() => seen).toHaveLength(1)
    await update(ref(connect()), { 'a/x': 1, 'b/y': 2, 'c/z/deep': 3 })
    await expect
      .poll(() => seen)
      .toEqual([null, { a: { x: 1 }, b: { y: 2 }, c: { z: { deep: 3 } } }])
  })

  test('pushed children keep the order of the pushes', async () => {
    const database = connect()
    for (const text of ['one', 'two', 'three']) await push(ref(database, 'list'), text)
    const texts: unknown[] = []
    ;(await get(ref(connect(), 'list'))).forEach((child) => {
      texts.push(child.val())
    })
    expect(texts).toEqual(['one', 'two', 'three'])
  })

  test('a client that listens to its own write sees the value once, without flicker', async () => {
    const database = connect()
    const { seen } = collectEvents(ref(database, 'a'))
    await expect.poll(() => seen).toHaveLength(1)
    await set(ref(database, 'a'), 1)
    await set(ref(database, 'a'), 2)
    await get(ref(database, 'b'))
    expect(seen).toEqual([null, 1, 2])
  })

  test('the server resolves server timestamps and increments', async () => {
    const database = connect()
    await set(ref(database, 'a'), { at: serverTimestamp(), n: increment(5) })
    await Promise.all(
      Array.from({ length: 20 }, () => update(ref(database, 'a'), { n: increment(2) })),
    )
    const { at, n } = (await get(ref(connect(), 'a'))).val() as { at: number; n: number }
    expect(n).toBe(45)
    expect(Math.abs(at - Date.now())).toBeLessThan(60_000)
  })

  test('priorities order children and are kept', async () => {
    const database = connect()
    await setWithPriority(ref(database, 'a/x'), 'x', 3)
    await setWithPriority(ref(database, 'a/y'), { v: 1 }, 1)
    await set(ref(database, 'a/z'), 'z')
    const snapshot = await get(query(ref(connect(), 'a'), orderByPriority()))
    const keys: (string | null)[] = []
    snapshot.forEach((child) => {
      keys.push(child.key)
    })
    expect(keys).toEqual(['z', 'y', 'x'])
    expect(snapshot.child('y').priority).toBe(1)
  })

  test('a long message with accents arrives complete', async () => {
    const text = 'Año nuevo en Ñandú '.repeat(20_000)
    await set(ref(connect(), 'a'), text)
    expect((await get(ref(connect(), 'a'))).val()).toBe(text)
  })

  test('two namespaces are isolated from each other', async () => {
    await set(ref(connect('one'), 'a'), 1)
    await set(ref(connect('two'), 'a'), 2)
    expect((await get(ref(connect('one'), 'a'))).val()).toBe(1)
    expect((await get(ref(connect('two'), 'a'))).val()).toBe(2)
  })
})

describe('queries', () => {
  const people = {
    ana: { age: 30, city: 'x' },
    bo: { age: 20, city: 'y' },
    cy: { age: 40, city: 'x' },
    di: { age: 25 },
  }
  const readKeys = async (of: Query) => {
    const keys: (string | null)[] = []
    ;(await get(of)).forEach((child) => {
      keys.push(child.key)
    })
    return keys
  }

  test('ranges, equality and limits select rows in order', async () => {
    await set(ref(connect(), 'p'), people)
    const p = ref(connect(), 'p')
    expect(await readKeys(query(p, orderByChild('age')))).toEqual(['bo', 'di', 'ana', 'cy'])
    expect(await readKeys(query(p, orderByChild('age'), startAt(25), endAt(30)))).toEqual([
      'di',
      'ana',
    ])
    expect(await readKeys(query(p, orderByChild('age'), startAfter(25)))).toEqual(['ana', 'cy'])
    expect(await readKeys(query(p, orderByChild('city'), equalTo('x')))).toEqual(['ana', 'cy'])
    expect(await readKeys(query(p, orderByChild('city'), equalTo(null)))).toEqual(['di'])
    expect(await readKeys(query(p, orderByKey(), limitToFirst(2)))).toEqual(['ana', 'bo'])
    expect(await readKeys(query(p, orderByKey(), limitToLast(1)))).toEqual(['di'])
    expect(await readKeys(query(p, orderByKey(), startAt('bo'), endAt('cy')))).toEqual(['bo', 'cy'])
  })

  test('values are ordered by type, and integer keys by number', async () => {
    await set(ref(connect(), 'v'), { a: 'text', b: true, c: 3, d: false, e: { x: 1 }, f: -1 })
    await set(ref(connect(), 'k'), { 10: 1, 9: 1, a: 1, '-1': 1 })
    expect(await readKeys(query(ref(connect(), 'v'), orderByValue()))).toEqual([
      'd',
      'b',
      'f',
      'c',
      'a',
      'e',
    ])
    expect(await readKeys(query(ref(connect(), 'k'), orderByKey()))).toEqual(['-1', '9', '10', 'a'])
  })

  test('a live query reports children that enter, change and leave', async () => {
    await set(ref(connect(), 'p'), people)
    const { seen } = collectEvents(query(ref(connect(), 'p'), orderByChild('city'), equalTo('x')))
    await expect.poll(() => seen).toEqual([{ ana: people.ana, cy: people.cy }])
    const other = connect()
    await set(ref(other, 'p/di/city'), 'x')
    await update(ref(other, 'p'), { 'ana/age': 31, 'cy/city': 'z', 'bo/age': 21 })
    await remove(ref(other, 'p/di'))
    await expect
      .poll(() => seen.slice(1))
      .toEqual([
        { ana: people.ana, cy: people.cy, di: { age: 25, city: 'x' } },
        { ana: { age: 31, city: 'x' }, di: { age: 25, city: 'x' } },
        { ana: { age: 31, city: 'x' } },
      ])
  })

  test('a live limited query always shows the last children', async () => {
    const database = connect()
    await set(ref(database, 'l'), { a: 1, b: 2, c: 3 })
    const { seen } = collectEvents(query(ref(connect(), 'l'), limitToLast(2)))
    await expect.poll(() => seen).toEqual([{ b: 2, c: 3 }])
    await set(ref(database, 'l/d'), 4)
    await remove(ref(database, 'l/d'))
    await expect
      .poll(() => seen)
      .toEqual([
        { b: 2, c: 3 },
        { c: 3, d: 4 },
        { b: 2, c: 3 },
      ])
  })

  test('child events name the added and removed children', async () => {
    const database = connect()
    const list = query(ref(connect(), 'l'), limitToLast(1))
    const added: (string | null)[] = []
    const removed: (string | null)[] = []
    onChildAdded(list, (child) => added.push(child.key))
    onChildRemoved(list, (child) => removed.push(child.key))
    await set(ref(database, 'l/a'), 1)
    await set(ref(database, 'l/b'), 1)
    await expect.poll(() => [added, removed]).toEqual([['a', 'b'], ['a']])
    off(list)
  })
})

describe('transactions', () => {
  test('50 concurrent transactions by 5 clients lose no update', async () => {
    const clients = Array.from({ length: 5 }, () => connect())
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        runTransaction(
          ref(clients[i % clients.length] as ClientDatabase, 'counter'),
          (n: number | null) => (n ?? 0) + 1,
        ),
      ),
    )
    expect(results.every(({ committed }) => committed)).toBe(true)
    expect((await get(ref(connect(), 'counter'))).val()).toBe(50)
  })

  test('a transaction can leave the data unchanged', async () => {
    const database = connect()
    await set(ref(database, 'a'), { n: 9007199254740991 })
    const { committed } = await runTransaction(ref(connect(), 'a'), () => undefined)
    expect(committed).toBe(false)
    const second = await runTransaction(ref(connect(), 'a'), (a: { n: number } | null) =>
      a === null ? null : { ...a, more: true },
    )
    expect(second.snapshot.val()).toEqual({ n: 9007199254740991, more: true })
  })
})

describe('presence', () => {
  test('a client’s onDisconnect writes run when it goes offline', async () => {
    const leaver = connect()
    await onDisconnect(ref(leaver, 'p/state')).set('gone')
    await onDisconnect(ref(leaver, 'p')).update({ at: serverTimestamp() })
    await onDisconnect(ref(leaver, 'p/cancelled')).set(true)
    await onDisconnect(ref(leaver, 'p/cancelled')).cancel()
    await set(ref(leaver, 'p/state'), 'here')
    const reader = connect()
    await get(ref(reader, 'p'))
    goOffline(leaver)
    await expect
      .poll(async () => (await get(ref(reader, 'p'))).val())
      .toEqual({
        state: 'gone',
        at: expect.any(Number),
      })
  })

  test('listeners and writes continue after a reconnection', async () => {
    const database = connect()
    const { seen } = collectEvents(ref(database, 'a'))
    await set(ref(database, 'a'), 1)
    goOffline(database)
    const queued = set(ref(database, 'b'), 'queued')
    await set(ref(connect(), 'a'), 2)
    goOnline(database)
    await queued
    await expect.poll(() => seen.at(-1)).toBe(2)
    expect((await get(ref(connect(), 'b'))).val()).toBe('queued')
  })
})

describe('rules', () => {
  beforeEach(() =>
    setRules({
      users: { $uid: { '.read': 'auth.uid === $uid', '.write': 'auth.uid === $uid' } },
      open: { '.read': true, '.write': 'newData.isNumber()', '.indexOn': 'age' },
      gated: { '.read': "root.child('users/ana/gate').val() === true" },
    }),
  )

  test('each user reads and writes only their own data', async () => {
    const ana = connect(namespace, 'ana')
    await set(ref(ana, 'users/ana/name'), 'Ana')
    expect((await get(ref(ana, 'users/ana/name'))).val()).toBe('Ana')
    await expect(set(ref(ana, 'users/bo/name'), 'x')).rejects.toThrow(
      /PERMISSION_DENIED: Permission denied/,
    )
    await expect(get(ref(connect(), 'users/ana'))).rejects.toThrow(/Permission denied/)
    const { errors } = collectEvents(ref(connect(), 'users/ana'))
    await expect.poll(() => errors.join()).toMatch(/permission_denied/)
  })

  test('a refused write changes nothing and is rolled back in the client', async () => {
    const database = connect()
    await set(ref(database, 'open'), 1)
    const { seen } = collectEvents(ref(database, 'open'))
    await expect.poll(() => seen).toEqual([1])
    await expect(set(ref(database, 'open'), 'text')).rejects.toThrow(/Permission denied/)
    await expect.poll(() => seen).toEqual([1, 'text', 1])
  })

  test('a listener ends when new rules or changed data forbid its read', async () => {
    const ana = connect(namespace, 'ana')
    await set(ref(ana, 'users/ana/gate'), true)
    const gated = collectEvents(ref(connect(), 'gated'))
    const own = collectEvents(ref(ana, 'users/ana'))
    await expect.poll(() => [gated.seen, own.seen]).toEqual([[null], [{ gate: true }]])
    await set(ref(ana, 'users/ana/gate'), false)
    await expect.poll(() => gated.errors.join()).toMatch(/permission_denied/)
    await setRules({ '.read': false })
    await expect.poll(() => own.errors.join()).toMatch(/permission_denied/)
  })

  test('invalid rules are refused with a position, and the old ones stay', async () => {
    const response = await callRest('/.settings/rules.json', {
      method: 'PUT',
      headers: ownerHeaders,
      body: '{"rules": {',
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toMatch(/1:12: Parse error/)
    expect((await callRest('/open.json')).status).toBe(200)
    expect((await callRest('/users.json')).status).toBe(401)
  })
})

describe('the admin SDK', () => {
  const admin = (override?: object | null) => {
    const app = initializeAdmin(
      {
        projectId: 'demo',
        databaseURL: `http://127.0.0.1:${server.port}?ns=${namespace}`,
        credential: {
          getAccessToken: () => Promise.resolve({ access_token: 'owner', expires_in: 3600 }),
        },
        ...(override === undefined ? {} : { databaseAuthVariableOverride: override }),
      },
      `a${apps++}`,
    )
    const database = getAdminDatabase(app)
    openResources.push(async () => {
      database.goOffline()
      await deleteAdmin(app)
    })
    return database
  }

  test('an admin bypasses the rules, unless they act as a user', async () => {
    await setRules({ a: { '.write': "auth.uid === 'server'" } })
    await admin().ref('b').set(1)
    await admin({ uid: 'server' }).ref('a').set(1)
    await expect(admin({ uid: 'server' }).ref('b').set(2)).rejects.toThrow(/PERMISSION_DENIED/)
    await expect(admin(null).ref('a').set(2)).rejects.toThrow(/PERMISSION_DENIED/)
    expect((await admin().ref().once('value')).val()).toEqual({ a: 1, b: 1 })
  })

  test('the admin SDK sets and reads the rules', async () => {
    const database = admin()
    const source = '// who may\n{"rules": {".read": true}}'
    await database.setRules(source)
    expect(await database.getRules()).toBe(source)
    expect(await database.getRulesJSON()).toEqual({ rules: { '.read': true } })
  })
})
