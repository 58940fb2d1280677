import { describe, expect, test } from 'vitest'
import { createDatabase } from './inProcess'

const rules = JSON.stringify({
  rules: {
    notes: {
      '.indexOn': ['rank'],
      '.read': "query.equalTo === 1 || auth.token.role === 'reader'",
      $id: {
        '.read': 'data.child("owner").val() === auth.uid',
        '.write': 'auth !== null && newData.child("owner").val() === auth.uid',
        at: { '.validate': 'newData.val() === now' },
      },
    },
    presence: { $uid: { '.read': true, '.write': '$uid === auth.uid' } },
    closed: { '.read': false },
  },
})

const note = (owner: string, rank: number) => ({ owner, rank })

describe('a database in this process', () => {
  test('checks the rules for a user, and not for an admin', () => {
    const database = createDatabase({ rules, now: () => 7 })
    const ana = database.asUser('ana')
    ana.set('notes/a', { ...note('ana', 1), at: { '.sv': 'timestamp' } })
    expect(ana.get('notes/a')).toEqual({ ...note('ana', 1), at: 7 })
    expect(() => database.asUser('eva').get('notes/a')).toThrow('Permission denied')
    expect(() => database.as(null).set('notes/b', note('ana', 2))).toThrow('Permission denied')
    expect(() => ana.update('notes', { 'b/owner': 'ana', 'a/at': 6 })).toThrow('Permission denied')
    const admin = database.asAdmin()
    expect(admin.get('notes')).toEqual({ a: { ...note('ana', 1), at: 7 } })
    admin.set('closed', true)
    expect(admin.get('closed')).toBe(true)
    expect(() => ana.get('closed')).toThrow(
      expect.objectContaining({ status: 'permission_denied' }),
    )
  })

  test('returns values as the SDKs do', () => {
    const admin = createDatabase({
      data: { list: ['a', 'b'], sparse: { 5: 1 }, leaf: { '.value': 3, '.priority': 1 }, none: {} },
    }).asAdmin()
    expect(admin.get('')).toEqual({ list: ['a', 'b'], sparse: { 5: 1 }, leaf: 3 })
    expect(admin.get('none')).toBe(null)
    expect(admin.get('list/0')).toBe('a')
  })

  test('lists the rows of a query in its order, page by page', () => {
    const admin = createDatabase({
      rules,
      data: { notes: { a: note('x', 2), b: note('x', 1), c: note('x', 1), d: note('x', 3) } },
    }).asAdmin()
    const keys = (rows: [string, unknown][]) => rows.map(([key]) => key)
    expect(keys(admin.list('notes', { orderBy: 'rank' }))).toEqual(['b', 'c', 'a', 'd'])
    expect(keys(admin.list('notes', { orderBy: 'rank', equalTo: 1 }))).toEqual(['b', 'c'])
    expect(
      keys(
        admin.list('notes', { orderBy: 'rank', equalTo: 1, startAfter: { value: 1, key: 'b' } }),
      ),
    ).toEqual(['c'])
    expect(keys(admin.list('notes', { orderBy: '$key', limitToLast: 2 }))).toEqual(['c', 'd'])
    expect(
      keys(admin.list('notes', { orderBy: '$key', startAfter: 'b', limitToFirst: 1 })),
    ).toEqual(['c'])
    expect(keys(admin.list('notes', { orderBy: 'rank', startAt: 2, endBefore: 3 }))).toEqual(['a'])
    expect(keys(admin.list('none', { orderBy: '$key' }))).toEqual([])
  })

  test('shows the query to the rules, and refuses one without an index', () => {
    const database = createDatabase({ rules, data: { notes: { a: note('ana', 1) } } })
    const ana = database.asUser('ana')
    expect(ana.list('notes', { orderBy: 'rank', equalTo: 1 })).toHaveLength(1)
    expect(() => ana.list('notes', { orderBy: 'rank', equalTo: 2 })).toThrow('Permission denied')
    const reader = database.asUser('reader', { role: 'reader' })
    expect(reader.list('notes', { orderBy: 'rank', equalTo: 2 })).toEqual([])
    expect(() => reader.list('notes', { orderBy: 'owner', equalTo: 'ana' })).toThrow(
      'Index not defined, add ".indexOn": "owner", for path "/notes", to the rules',
    )
  })

  test('writes nothing when one path of an update is refused or invalid', () => {
    const database = createDatabase({ rules, data: { presence: { ana: 1 } } })
    const ana = database.asUser('ana')
    expect(() => ana.update('presence', { ana: 2, eva: 2 })).toThrow(
      'Permission denied: the rules forbid the write of /presence/eva',
    )
    expect(() => ana.update('', { 'presence/ana': { x: undefined } })).toThrow(
      'presence/ana/x is undefined',
    )
    expect(() => ana.set('presence/a.b', 1)).toThrow('Invalid path')
    expect(() => ana.update('', { 'presence/ana': 1, 'presence/ana/x': 2 })).toThrow('set twice')
    expect(ana.get('presence/ana')).toBe(1)
  })

  test('runs a transaction on the current value', () => {
    const database = createDatabase({ rules, data: { presence: { ana: 1 } } })
    const ana = database.asUser('ana')
    const increase = (value: unknown) => Number(value) + 1
    expect(ana.transaction('presence/ana', increase)).toBe(2)
    expect(ana.transaction('presence/ana', () => undefined)).toBe(2)
    expect(() => ana.transaction('presence/eva', increase)).toThrow('Permission denied')
    const interrupted = (value: unknown) => {
      ana.set('presence/ana', 9)
      return increase(value)
    }
    expect(() => ana.transaction('presence/ana', interrupted)).toThrow(
      expect.objectContaining({ status: 'datastale' }),
    )
  })

  test('calls listeners before a write returns, and only when their value changes', () => {
    const database = createDatabase({ rules, data: { notes: { a: note('ana', 1) } } })
    const admin = database.asAdmin()
    const seen: unknown[] = []
    const stop = database.asUser('ana').listen('notes/a/rank', (value) => seen.push(value))
    const rows: unknown[] = []
    admin.listenToList('notes', { orderBy: 'rank', limitToFirst: 1 }, (list) => rows.push(list))
    admin.set('notes/a/rank', 2)
    admin.set('notes/a/rank', 2)
    admin.set('notes/b', note('eva', 1))
    admin.set('notes/c', note('eva', 3))
    stop()
    admin.set('notes/a/rank', 4)
    expect(seen).toEqual([1, 2])
    expect(rows).toEqual([
      [['a', note('ana', 1)]],
      [['a', note('ana', 2)]],
      [['b', note('eva', 1)]],
    ])
  })

  test('ends a listener whose read the rules no longer allow', () => {
    const database = createDatabase({ rules, data: { notes: { a: note('ana', 1) } } })
    const seen: unknown[] = []
    database.asUser('ana').listen(
      'notes/a',
      (value) => seen.push(value),
      () => seen.push('revoked'),
    )
    database.asAdmin().set('notes/a/owner', 'eva')
    database.asAdmin().set('notes/a/owner', 'ana')
    expect(seen).toEqual([note('ana', 1), 'revoked'])
  })
})
