import { describe, expect, test } from 'vitest'
import { locate } from '../rules/rulesError'
import { compileStorageRules } from './compile'
import type { StorageRequest } from './compile'
import { StorageRulesError } from './syntax'
import { PathValue, Timestamp } from './values'
import type { Value } from './values'

const NOW = Date.UTC(2026, 10, 20, 15, 30, 45, 250)
type Plain = Value | { readonly [key: string]: Plain } | readonly Plain[]

const isFields = (plain: Plain): plain is { readonly [key: string]: Plain } =>
  typeof plain === 'object' && plain !== null && Object.getPrototypeOf(plain) === Object.prototype

/** Maps from objects, whole numbers as ints. */
const value = (plain: Plain): Value => {
  if (Array.isArray(plain)) return (plain as readonly Plain[]).map(value)
  if (isFields(plain)) return new Map(Object.entries(plain).map(([key, v]) => [key, value(v)]))
  return typeof plain === 'number' && Number.isInteger(plain) ? BigInt(plain) : (plain as Value)
}

interface Setting {
  readonly auth?: Plain
  readonly before?: Plain
  readonly after?: Plain
}

const ALICE: Plain = {
  uid: 'alice',
  token: { email: 'alice@example.com', email_verified: true, admin: true, groups: ['a', 'b'] },
}

const requestFor = (
  method: string,
  name: string,
  { auth = ALICE, before = null, after = null }: Setting = {},
): StorageRequest => {
  const path = ['b', 'bucket', 'o', ...(name === '' ? [] : name.split('/'))]
  return {
    method,
    path,
    request: value({
      auth,
      resource: after,
      time: new Timestamp(NOW),
      path: new PathValue(path),
      method,
    }) as ReadonlyMap<string, Value>,
    resource: value(before),
  }
}

const service = (body: string, version = "rules_version = '2';") =>
  `${version}\nservice firebase.storage {\n  match /b/{bucket}/o {\n${body}\n  }\n}\n`

const permits = (text: string, method: string, name: string, setting?: Setting): boolean =>
  compileStorageRules(text).judge(requestFor(method, name, setting)).permit

/** True, false, 'error' for a runtime error, 'refused' when the condition can't be loaded. */
const outcome = (condition: string, setting?: Setting): boolean | 'error' | 'refused' => {
  try {
    const text = service(`match /{dir}/{file} { allow get: if ${condition}; }`)
    const verdict = compileStorageRules(text).judge(requestFor('get', 'dir/file.png', setting))
    return verdict.errors.length > 0 ? 'error' : verdict.permit
  } catch (error) {
    if (error instanceof StorageRulesError) return 'refused'
    throw error
  }
}

type Row = [condition: string, outcome: boolean | 'error' | 'refused', setting?: Setting]
const judged = (rows: Row[]) =>
  test.each(rows)('%s: %s', (condition, expected, setting) => {
    expect(outcome(condition, setting)).toBe(expected)
  })

const NOBODY: Setting = { auth: null }
const IMAGE: Plain = {
  name: 'dir/file.png',
  bucket: 'bucket',
  size: 2048,
  contentType: 'image/png',
  md5Hash: 'abc',
  metadata: { owner: 'alice', level: '3' },
  timeCreated: new Timestamp(NOW - 86_400_000),
  updated: new Timestamp(NOW - 60_000),
}
const SAVED: Setting = { before: IMAGE, after: IMAGE }

describe("Google's documented examples", () => {
  test('public reading, signed-in writing', () => {
    const text = service(`match /{allPaths=**} {
      allow read;
      allow write: if request.auth != null;
    }`)
    expect(permits(text, 'get', 'a/b/c.png', NOBODY)).toBe(true)
    expect(permits(text, 'list', '', NOBODY)).toBe(true)
    expect(permits(text, 'create', 'a/b/c.png', NOBODY)).toBe(false)
    expect(permits(text, 'delete', 'a/b/c.png')).toBe(true)
  })

  test('images smaller than five megabytes', () => {
    const text = service(`
      match /images/{imageId} {
        // Only allow uploads of any image file that's less than 5MB
        allow write: if request.resource.size < 5 * 1024 * 1024
                     && request.resource.contentType.matches('image/.*');
      }`)
    const upload = (contentType: Plain, size: number) =>
      permits(text, 'create', 'images/x', { after: { contentType, size } })
    expect(upload('image/png', 5 * 1024 * 1024 - 1)).toBe(true)
    expect(upload('image/png', 5 * 1024 * 1024)).toBe(false)
    expect(upload('text/plain', 1)).toBe(false)
    expect(upload('not/image/png', 1)).toBe(false)
    expect(upload(null, 1)).toBe(false)
    expect(permits(text, 'delete', 'images/x', { before: IMAGE })).toBe(false)
    expect(permits(text, 'create', 'images/deep/x', { after: IMAGE })).toBe(false)
  })

  test('files owned by the user in their path, and by a group in their metadata', () => {
    const text = service(`
      match /user/{userId}/{fileId} {
        allow read: if request.auth != null && request.auth.uid == userId;
      }
      match /files/{groupId}/{fileName} {
        allow read: if resource.metadata.owner == request.auth.token.groupId;
        allow write: if request.auth.token.groupId == groupId;
      }`)
    expect(permits(text, 'get', 'user/alice/x')).toBe(true)
    expect(permits(text, 'get', 'user/bob/x')).toBe(false)
    expect(permits(text, 'get', 'user/alice/x', NOBODY)).toBe(false)
    const member: Setting = { auth: { uid: 'x', token: { groupId: 'g1' } } }
    expect(permits(text, 'create', 'files/g1/f', member)).toBe(true)
    expect(permits(text, 'create', 'files/g2/f', member)).toBe(false)
    const owned: Setting = { ...member, before: { metadata: { owner: 'g1' } } }
    expect(permits(text, 'get', 'files/any/f', owned)).toBe(true)
    expect(permits(text, 'get', 'files/any/f', { ...owned, auth: ALICE })).toBe(false)
  })

  test('functions with several steps', () => {
    const text = service(`
      function isImageBelowMaxSize(maxSizeMB) {
        return request.resource.size < maxSizeMB * 1024 * 1024
            && request.resource.contentType.matches('image/.*');
      }
      match /images/{allImages=**} {
        function hasOwner() {
          let wanted = request.auth.uid;
          let actual = request.resource.metadata.owner;
          return wanted == actual;
        }
        allow write: if isImageBelowMaxSize(5) && hasOwner();
      }`)
    expect(permits(text, 'create', 'images/a/b', { after: IMAGE })).toBe(true)
    const other: Setting = { after: IMAGE, auth: { uid: 'bob', token: {} } }
    expect(permits(text, 'create', 'images/a/b', other)).toBe(false)
  })

  test('ownership kept in metadata, changed only in some fields', () => {
    const text = service(`match /docs/{id} {
      allow create: if request.resource.metadata.owner == request.auth.uid;
      allow update: if request.resource.metadata.diff(resource.metadata)
                        .affectedKeys().hasOnly(['level'])
                    && request.time < resource.timeCreated + duration.value(7, 'd');
    }`)
    const update = (metadata: Plain): Setting => ({
      before: IMAGE,
      after: { ...(IMAGE as Record<string, Plain>), metadata },
    })
    expect(permits(text, 'update', 'docs/1', update({ owner: 'alice', level: '4' }))).toBe(true)
    expect(permits(text, 'update', 'docs/1', update({ owner: 'bob', level: '4' }))).toBe(false)
    expect(permits(text, 'update', 'docs/1', update({ level: '3' }))).toBe(false)
    expect(permits(text, 'create', 'docs/1', { after: IMAGE })).toBe(true)
  })
})

describe('matching', () => {
  test('a rule applies where its whole path does, and any rule may allow', () => {
    const text = service(`
      match /a { allow get; }
      match /a/{x} {
        allow get: if x == 'one';
        match /deep/{y} { allow get: if x + y == 'onetwo'; }
      }
      match /{any} { allow get: if any == 'b'; }`)
    const get = (name: string) => permits(text, 'get', name)
    expect(
      ['a', 'b', 'c', 'a/one', 'a/two', 'a/one/deep/two', 'a/one/deep', 'a/one/x'].map(get),
    ).toEqual([true, true, false, true, false, true, false, false])
  })

  test('a wildcard takes exactly one segment that is not empty', () => {
    const text = service('match /users/{uid}/{file} { allow get: if true; }')
    expect(permits(text, 'get', 'users/alice/f')).toBe(true)
    expect(permits(text, 'get', 'users/alice')).toBe(false)
    expect(permits(text, 'get', 'users//f')).toBe(false)
    expect(permits(text, 'get', 'users//alice/f')).toBe(false)
    expect(permits(text, 'get', 'users/alice/f/g')).toBe(false)
  })

  test('{name=**} takes any number of segments with version 2, at least one with version 1', () => {
    const body = 'match /img/{rest=**} { allow get, list; }'
    const first = service(body, '')
    expect(permits(service(body), 'get', 'img')).toBe(true)
    expect(permits(service(body), 'get', 'img/a/b')).toBe(true)
    expect(permits(first, 'get', 'img')).toBe(false)
    expect(permits(first, 'get', 'img/a/b')).toBe(true)
    expect(permits(service(body), 'get', 'other/a')).toBe(false)
    expect(compileStorageRules(first).version).toBe(1)
    expect(compileStorageRules(service(body)).version).toBe(2)
  })

  test('{name=**} may stand inside a path with version 2 only', () => {
    const body = "match /{any=**}/thumbs/{id} { allow get: if any[0] == 'a'; }"
    expect(permits(service(body), 'get', 'a/b/thumbs/1')).toBe(true)
    expect(permits(service(body), 'get', 'x/thumbs/1')).toBe(false)
    expect(() => compileStorageRules(service(body, ''))).toThrow('last')
  })

  test('the bucket can be named', () => {
    const text = `service firebase.storage {
      match /b/bucket/o/{name} { allow get; }
      match /b/other/o/{x}/{y} { allow get; }
    }`
    expect(permits(text, 'get', 'a')).toBe(true)
    expect(permits(text, 'get', 'a/b')).toBe(false)
  })

  test.each([
    ['read', ['get', 'list']],
    ['write', ['create', 'update', 'delete']],
    ['get', ['get']],
    ['list', ['list']],
    ['create', ['create']],
    ['update', ['update']],
    ['delete', ['delete']],
  ])('%s covers %s', (method, covered) => {
    const text = service(`match /{f} { allow ${method}; }`)
    const all = ['get', 'list', 'create', 'update', 'delete']
    expect(all.filter((asked) => permits(text, asked, 'f'))).toEqual(covered)
  })

  test('an inner wildcard hides an outer one of its name, and functions keep their own', () => {
    const text = service(`match /{id}/x {
      function outer() { return id; }
      match /{id} { allow get: if id == 'in' && outer() == 'out'; }
    }`)
    expect(permits(text, 'get', 'out/x/in')).toBe(true)
    expect(permits(text, 'get', 'in/x/out')).toBe(false)
  })
})

describe('the request', () => {
  judged([
    ['request.auth != null', true],
    ['request.auth != null', false, NOBODY],
    ['request.auth == null', true, NOBODY],
    ["request.auth.uid == 'alice'", true],
    ["request.auth.uid == 'alice'", 'error', NOBODY],
    ['request.auth.token.admin == true', true],
    ['request.auth.token.admin', true],
    ['request.auth.token.nothing', 'error'],
    ["request.auth.token['email'] == 'alice@example.com'", true],
    ["'b' in request.auth.token.groups", true],
    ["'nothing' in request.auth.token", false],
    ["request.auth.token.get('nothing', false)", false],
    ["request.auth.token.email.split('@')[1] == 'example.com'", true],
    ["request.method == 'get'", true],
    ["request.path[0] == 'b' && request.path[4] == 'file.png'", true],
    ['request.path[5] == null', 'error'],
    ["string(request.path) == '/b/bucket/o/dir/file.png'", true],
    ["request.path == 'b'", 'error'],
    ["request.path != 'b'", 'error'],
    ["dir == 'dir' && file.matches('.*[.]png') && bucket == 'bucket'", true],
    ['resource == null', true],
    ['resource.size == 1', 'error'],
    ['resource.size == 2048 && request.resource.size == resource.size', true, SAVED],
    ["resource.name == 'dir/file.png' && resource.md5Hash == 'abc'", true, SAVED],
    ["resource.metadata.owner == 'alice'", true, SAVED],
    ["'missing' in resource.metadata", false, SAVED],
    ["resource.metadata.missing == 'x'", 'error', SAVED],
    ['request.nothing == null', 'refused'],
    ['resource.data == null', 'refused'],
    ['request.resource.contentTypes == null', 'refused'],
    ['nothing == null', 'refused'],
    ['resource', 'error', SAVED],
  ])
})

describe('operators', () => {
  judged([
    ['true', true],
    ['!true', false],
    ['!!true', true],
    ['1 + 2 * 3 == 7', true],
    ['(1 + 2) * 3 == 9', true],
    ['7 / 2 == 3 && 7 % 4 == 3 && -7 / 2 == -3', true],
    ['7.0 / 2 == 3.5', true],
    ['1 == 1.0', true],
    ["1 == '1'", false],
    ["1 != '1'", true],
    ['null == false', false],
    ['1 / 0 == 1', 'error'],
    ['1.0 / 0 > 1000', true],
    ['9223372036854775807 + 1 > 0', 'error'],
    ['9223372036854775808 > 0', 'refused'],
    ["'a' + 'b' == 'ab'", true],
    ["'a' + 1 == 'a1'", 'error'],
    ['[1] + [2] == [1, 2]', 'error'],
    ['1 < 2 && 2 <= 2 && 3 > 2.5 && 2 >= 2', true],
    ["'a' < 'b'", true],
    ["1 < 'b'", 'error'],
    ['null < 1', 'error'],
    ['true > false', 'error'],
    ['1 in [1, 2]', true],
    ["'a' in {'a': 1}", true],
    ["'a' in 'abc'", 'error'],
    ['[1, [2]] == [1, [2]]', true],
    ["{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", true],
    ["{'a': 1} == {'a': 2}", false],
    ['{1: 2} == {1: 2}', 'error'],
    ['true ? true : false', true],
    ['1 ? true : false', 'error'],
    ['false ? false : true ? true : false', true],
    ['1', 'error'],
    ["'true'", 'error'],
    ['1 && true', 'error'],
    ['[1, 2, 3][1] == 2', true],
    ['[1][1] == 1', 'error'],
    ['[1][-1] == 1', 'error'],
    ["{'a': [1]}['a'][0] == 1", true],
    ["{'a': 1}.a == 1", true],
    ["'abcd'[1:3] == 'bc' && [1, 2, 3][0:2] == [1, 2]", true],
    ["'abc'[0:9] == 'abc'", 'error'],
    ['1 is int && 1.0 is float && 1 is number && 1.5 is number', true],
    ["'a' is string && true is bool && [] is list && {} is map", true],
    ['request.time is timestamp && request.path is path', true],
    ['1 is string', false],
    ['1 is banana', 'refused'],
    ["'\\u0041\\x42\\'' == 'AB\\''", true],
    ["'\\d' == 'd'", 'refused'],
    ['1 === 1', 'refused'],
    ['1 = 1', 'refused'],
    ['1 ** 2 == 1', 'refused'],
    ['1 & 1 == 1', 'refused'],
    ['true and true', 'refused'],
    ['(true', 'refused'],
    ['', 'refused'],
  ])

  test('an error does not matter when the other side decides', () => {
    const error = 'request.auth.token.nothing'
    expect(outcome(`${error} || true`)).toBe(true)
    expect(outcome(`true || ${error}`)).toBe(true)
    expect(outcome(`${error} || false`)).toBe('error')
    expect(outcome(`${error} && false`)).toBe(false)
    expect(outcome(`false && ${error}`)).toBe(false)
    expect(outcome(`${error} && true`)).toBe('error')
    expect(outcome(`true && ${error}`)).toBe('error')
    expect(outcome(`!${error}`)).toBe('error')
  })
})

describe('functions and methods', () => {
  judged([
    ["'image/png'.matches('image/.*')", true],
    ["'xx image/png'.matches('image/.*')", false],
    ["'a'.matches('(')", 'refused'],
    ["'a'.matches('(?=a)a')", 'refused'],
    ['dir.matches(file)', false],
    ['dir.matches(dir)', true],
    ["'a'.matches(1)", 'error'],
    ["'abc'.size() == 3 && [1, 2].size() == 2 && {'a': 1}.size() == 1", true],
    ["'a,b;c'.split('[,;]') == ['a', 'b', 'c']", true],
    ["'banana'.replace('an+', '$0') == 'b$0$0a'", true],
    ["' a '.trim() == 'a' && 'aB'.lower() == 'ab' && 'aB'.upper() == 'AB'", true],
    ['[1, 2].hasAll([1]) && [1, 2].hasAny([2, 3]) && [1].hasOnly([1, 2])', true],
    ['[1].hasAll([1, 2])', false],
    ['[1, 3].hasOnly([1, 2])', false],
    ['[1].hasAny([])', false],
    ["[1].concat([2]).removeAll([1]) == [2] && ['a', 'b'].join('-') == 'a-b'", true],
    ['[1, 1, 2].toSet().size() == 2 && [2, 1].toSet() == [1, 2, 2].toSet()', true],
    ['[1].toSet().union([2].toSet()).hasOnly([1, 2])', true],
    ['[1, 2].toSet().intersection([2, 3].toSet()) == [2].toSet()', true],
    ['[1, 2].toSet().difference([2].toSet()) == [1].toSet() && 1 in [1].toSet()', true],
    ["{'a': 1}.keys() == ['a'] && {'a': 1}.values() == [1]", true],
    ["{'a': {'b': 1}}.get(['a', 'b'], 0) == 1 && {}.get('x', 2) == 2", true],
    ["{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).addedKeys() == ['b'].toSet()", true],
    ["{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).removedKeys() == ['c'].toSet()", true],
    ["{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).unchangedKeys() == ['a'].toSet()", true],
    ["{'a': 1}.diff({'a': 2}).changedKeys() == ['a'].toSet()", true],
    ['request.time == timestamp.value(request.time.toMillis())', true],
    ['request.time.year() == 2026 && request.time.month() == 11 && request.time.day() == 20', true],
    ['request.time.hours() == 15 && request.time.minutes() == 30', true],
    ['request.time.seconds() == 45 && request.time.nanos() == 250000000', true],
    ['request.time.dayOfWeek() == 5 && request.time.dayOfYear() == 324', true],
    ['request.time.date() == timestamp.date(2026, 11, 20)', true],
    ['request.time.time() > duration.time(15, 30, 45, 0)', true],
    ["request.time < resource.timeCreated + duration.value(25, 'h')", true, SAVED],
    ["request.time - resource.updated == duration.value(60, 's')", true, SAVED],
    [
      "duration.value(90, 'm').seconds() == 5400 && duration.abs(-duration.value(1, 's')) > duration.value(999, 'ms')",
      true,
    ],
    ["duration.value(1, 'y') == null", 'error'],
    ["int('12') == 12 && int(2.9) == 2 && float('1.5') == 1.5 && float(2) is float", true],
    ["string(1) == '1' && string(true) == 'true' && bool('true')", true],
    ["int('12x') == 12", 'error'],
    ['int(resource.metadata.level) > 2', true, SAVED],
    ['math.abs(-2) == 2 && math.ceil(1.2) == 2 && math.floor(-1.2) == -2', true],
    ['math.round(2.5) == 3 && math.pow(2, 3) == 8.0 && math.sqrt(9) == 3.0', true],
    ['math.isNaN(0.0 / 0) && math.isInfinite(1.0 / 0)', true],
    ["'a'.nothing()", 'refused'],
    ["'a'.size(1) == 1", 'refused'],
    ['1.size() == 1', 'error'],
    ['(1).size() == 1', 'error'],
    ["'a'.keys() == []", 'error'],
    ["nothing('a')", 'refused'],
    ['math.nothing(1) == 1', 'refused'],
    ['hashing.md5(dir) == dir', 'refused'],
    ['math == 1', 'refused'],
    [
      'firestore.get(/databases/(default)/documents/users/$(request.auth.uid)).data.isAdmin',
      'refused',
    ],
    ['firestore.exists(/databases/(default)/documents/x/y)', 'refused'],
    ['request.path == /b/bucket/o/x', 'refused'],
  ])
})

describe('declared functions', () => {
  const wrapped = (functions: string, condition: string) =>
    service(`${functions}\n match /{f} { allow get: if ${condition}; }`)

  test('may be used before they are declared, and call each other', () => {
    const text = wrapped(
      'function a(x) { return b(x) && x > 1; } function b(y) { let z = y + 1; return z == 3; }',
      'a(2)',
    )
    expect(permits(text, 'get', 'f')).toBe(true)
  })

  test('may hide a wildcard or the request by a parameter', () => {
    const text = wrapped(
      "function f(request) { return request.anything == 'x'; }",
      "f({'anything': 'x'})",
    )
    expect(permits(text, 'get', 'f')).toBe(true)
  })

  test('stand outside the service, in it, or in a match', () => {
    const text = `function yes() { return true; }
      service firebase.storage {
        function same() { return yes(); }
        match /b/{bucket}/o/{f} { function inner() { return same() && f == 'f'; } allow get: if inner(); }
      }`
    expect(permits(text, 'get', 'f')).toBe(true)
    expect(permits(text, 'get', 'g')).toBe(false)
  })

  test.each([
    ['one that calls itself', 'function a() { return a(); }', 'true', 'calls itself'],
    [
      'two in a circle',
      'function a() { return b(); } function b() { return a(); }',
      'true',
      'calls itself',
    ],
    [
      'one declared twice',
      'function a() { return true; } function a() { return true; }',
      'a()',
      'twice',
    ],
    ['a parameter twice', 'function a(x, x) { return x; }', 'a(true, true)', 'twice'],
    ['a name of the language', 'function int() { return true; }', 'int()', 'language'],
    ['a wrong number of arguments', 'function a(x) { return x; }', 'a()', 'argument'],
    ['an unknown variable nobody asks for', 'function a() { return f; }', 'true', "'f'"],
    ['no return', 'function a() { let x = true; }', 'true', 'return'],
    ['a let after the return', 'function a() { return true; let x = 1; }', 'true', "'}'"],
    ['an assignment', 'function a() { x = 1; return true; }', 'true', 'return'],
  ])('with %s are refused', (_title, functions, condition, message) => {
    expect(() => compileStorageRules(wrapped(functions, condition))).toThrow(message)
  })
})

describe('a file that is not in the language', () => {
  test.each<[title: string, text: string, place: string, message: string]>([
    ['nothing', '', '1:1', "'service'"],
    ['another service', 'service cloud.firestore { }', '1:1', 'cloud.firestore'],
    [
      'two services',
      'service firebase.storage { } service firebase.storage { }',
      '1:30',
      'service',
    ],
    ['an unknown version', "rules_version = '3';\nservice firebase.storage { }", '1:17', 'version'],
    [
      'a version without semicolon',
      "rules_version = '2'\nservice firebase.storage { }",
      '2:1',
      "';'",
    ],
    ['an allow in the service', 'service firebase.storage {\n allow read; }', '2:2', 'allow'],
    ['an unknown method', service('match /x { allow reads; }'), '4:18', 'reads'],
    ['no method', service('match /x { allow: if true; }'), '4:17', 'method'],
    ['no semicolon', service('match /x { allow get: if true }'), '4:31', "';'"],
    ['no if', service('match /x { allow get: true; }'), '4:23', "'if'"],
    ['a deny', service('match /x { deny get; }'), '4:12', 'deny'],
    ['no path', service('match { allow get; }'), '4:7', 'path'],
    ['a wildcard inside a segment', service('match /img_{id} { allow get; }'), '4:12', 'segment'],
    ['a wildcard before text', service('match /{id}.png { allow get; }'), '4:12', "'{'"],
    ['an empty segment', service('match /a//b { allow get; }'), '4:9', 'segment'],
    ['a slash at the end', service('match /a/ { allow get; }'), '4:9', 'segment'],
    ['two {=**}', service('match /{a=**}/{b=**} { allow get; }'), '4:16', 'last'],
    ['an open brace', service('match /x { allow get;'), '7:1', 'the end of the file'],
    ['an open comment', `${service('')} /* `, '7:2', "'/'"],
    ['text after the end', `${service('')} more`, '7:2', 'more'],
    ['an open string', service("match /x { allow get: if 'a; }"), '4:26', "'"],
  ])('%s is refused at its place', (_title, text, place, message) => {
    expect(() => compileStorageRules(text)).toThrow(message)
    try {
      compileStorageRules(text)
    } catch (error) {
      expect(error).toBeInstanceOf(StorageRulesError)
      const { line, column } = locate(text, (error as StorageRulesError).at)
      expect(`${line}:${column}`).toBe(place)
    }
  })

  test('comments and blanks are not in the way, nor is a missing blank before a brace', () => {
    const text = `// first
      rules_version = "2"; /* second
      */ service firebase.storage{match /b/{ bucket }/o{match /{ all = ** }{allow get:if true;}}}`
    expect(permits(text, 'get', 'a/b')).toBe(true)
  })
})

test('a pattern taken from the request cannot take long', () => {
  const text = service('match /{f} { allow create: if f.matches(request.resource.contentType); }')
  const after: Plain = { contentType: '(a+)+(b|bb)+$' }
  expect(permits(text, 'create', `${'a'.repeat(50_000)}!`, { after })).toBe(false)
})
