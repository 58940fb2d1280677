import { describe, expect, test } from 'vitest'
import { findLineAndColumn } from '../rules/rulesLoadError'
import { compileStorageRules } from './compiler'
import type { StorageRequest } from './compiler'
import { StorageRulesSyntaxError } from './syntaxTree'
import { PathValue, Timestamp } from './values'
import type { Value } from './values'

const NOW = Date.UTC(2026, 10, 20, 15, 30, 45, 250)
type Plain = Value | { readonly [key: string]: Plain } | readonly Plain[]

const isPlainObject = (plain: Plain): plain is { readonly [key: string]: Plain } =>
  typeof plain === 'object' && plain !== null && Object.getPrototypeOf(plain) === Object.prototype

/** Converts plain objects to maps and whole numbers to ints. */
const toValue = (plain: Plain): Value => {
  if (Array.isArray(plain)) return (plain as readonly Plain[]).map(toValue)
  if (isPlainObject(plain))
    return new Map(Object.entries(plain).map(([key, v]) => [key, toValue(v)]))
  return typeof plain === 'number' && Number.isInteger(plain) ? BigInt(plain) : (plain as Value)
}

interface RequestOptions {
  readonly auth?: Plain
  readonly before?: Plain
  readonly after?: Plain
}

const ALICE: Plain = {
  uid: 'alice',
  token: { email: 'alice@example.com', email_verified: true, admin: true, groups: ['a', 'b'] },
}

const createRequest = (
  method: string,
  name: string,
  { auth = ALICE, before = null, after = null }: RequestOptions = {},
): StorageRequest => {
  const path = ['b', 'bucket', 'o', ...(name === '' ? [] : name.split('/'))]
  return {
    method,
    path,
    request: toValue({
      auth,
      resource: after,
      time: new Timestamp(NOW),
      path: new PathValue(path),
      method,
    }) as ReadonlyMap<string, Value>,
    resource: toValue(before),
  }
}

const wrapInService = (body: string, version = "rules_version = '2';") =>
  `${version}\nservice firebase.storage {\n  match /b/{bucket}/o {\n${body}\n  }\n}\n`

const isAllowed = (text: string, method: string, name: string, setting?: RequestOptions): boolean =>
  compileStorageRules(text).evaluate(createRequest(method, name, setting)).permit

/**
 * Returns true, false, 'error' for a runtime error, or 'refused' when the condition cannot be
 * loaded.
 */
const evaluateOutcome = (
  condition: string,
  setting?: RequestOptions,
): boolean | 'error' | 'refused' => {
  try {
    const text = wrapInService(`match /{dir}/{file} { allow get: if ${condition}; }`)
    const verdict = compileStorageRules(text).evaluate(
      createRequest('get', 'dir/file.png', setting),
    )
    return verdict.errors.length > 0 ? 'error' : verdict.permit
  } catch (error) {
    if (error instanceof StorageRulesSyntaxError) return 'refused'
    throw error
  }
}

type Row = [condition: string, outcome: boolean | 'error' | 'refused', setting?: RequestOptions]
const evaluateRows = (rows: Row[]) =>
  test.each(rows)('evaluates %s to %s', (condition, expected, setting) => {
    expect(evaluateOutcome(condition, setting)).toBe(expected)
  })

const SIGNED_OUT: RequestOptions = { auth: null }
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
const STORED_STATES: RequestOptions = { before: IMAGE, after: IMAGE }

describe("Google's documented examples", () => {
  test('allow public reads and signed-in writes', () => {
    const text = wrapInService(`match /{allPaths=**} {
      allow read;
      allow write: if request.auth != null;
    }`)
    expect(isAllowed(text, 'get', 'a/b/c.png', SIGNED_OUT)).toBe(true)
    expect(isAllowed(text, 'list', '', SIGNED_OUT)).toBe(true)
    expect(isAllowed(text, 'create', 'a/b/c.png', SIGNED_OUT)).toBe(false)
    expect(isAllowed(text, 'delete', 'a/b/c.png')).toBe(true)
  })

  test('allow images smaller than five megabytes', () => {
    const text = wrapInService(`
      match /images/{imageId} {
        // Only allow uploads of any image file that's less than 5MB
        allow write: if request.resource.size < 5 * 1024 * 1024
                     && request.resource.contentType.matches('image/.*');
      }`)
    const upload = (contentType: Plain, size: number) =>
      isAllowed(text, 'create', 'images/x', { after: { contentType, size } })
    expect(upload('image/png', 5 * 1024 * 1024 - 1)).toBe(true)
    expect(upload('image/png', 5 * 1024 * 1024)).toBe(false)
    expect(upload('text/plain', 1)).toBe(false)
    expect(upload('not/image/png', 1)).toBe(false)
    expect(upload(null, 1)).toBe(false)
    expect(isAllowed(text, 'delete', 'images/x', { before: IMAGE })).toBe(false)
    expect(isAllowed(text, 'create', 'images/deep/x', { after: IMAGE })).toBe(false)
  })

  test('allow files owned by the user in their path or by a group in their metadata', () => {
    const text = wrapInService(`
      match /user/{userId}/{fileId} {
        allow read: if request.auth != null && request.auth.uid == userId;
      }
      match /files/{groupId}/{fileName} {
        allow read: if resource.metadata.owner == request.auth.token.groupId;
        allow write: if request.auth.token.groupId == groupId;
      }`)
    expect(isAllowed(text, 'get', 'user/alice/x')).toBe(true)
    expect(isAllowed(text, 'get', 'user/bob/x')).toBe(false)
    expect(isAllowed(text, 'get', 'user/alice/x', SIGNED_OUT)).toBe(false)
    const member: RequestOptions = { auth: { uid: 'x', token: { groupId: 'g1' } } }
    expect(isAllowed(text, 'create', 'files/g1/f', member)).toBe(true)
    expect(isAllowed(text, 'create', 'files/g2/f', member)).toBe(false)
    const owned: RequestOptions = { ...member, before: { metadata: { owner: 'g1' } } }
    expect(isAllowed(text, 'get', 'files/any/f', owned)).toBe(true)
    expect(isAllowed(text, 'get', 'files/any/f', { ...owned, auth: ALICE })).toBe(false)
  })

  test('support functions with several statements', () => {
    const text = wrapInService(`
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
    expect(isAllowed(text, 'create', 'images/a/b', { after: IMAGE })).toBe(true)
    const other: RequestOptions = { after: IMAGE, auth: { uid: 'bob', token: {} } }
    expect(isAllowed(text, 'create', 'images/a/b', other)).toBe(false)
  })

  test('keep ownership in metadata and allow changes to only some fields', () => {
    const text = wrapInService(`match /docs/{id} {
      allow create: if request.resource.metadata.owner == request.auth.uid;
      allow update: if request.resource.metadata.diff(resource.metadata)
                        .affectedKeys().hasOnly(['level'])
                    && request.time < resource.timeCreated + duration.value(7, 'd');
    }`)
    const update = (metadata: Plain): RequestOptions => ({
      before: IMAGE,
      after: { ...(IMAGE as Record<string, Plain>), metadata },
    })
    expect(isAllowed(text, 'update', 'docs/1', update({ owner: 'alice', level: '4' }))).toBe(true)
    expect(isAllowed(text, 'update', 'docs/1', update({ owner: 'bob', level: '4' }))).toBe(false)
    expect(isAllowed(text, 'update', 'docs/1', update({ level: '3' }))).toBe(false)
    expect(isAllowed(text, 'create', 'docs/1', { after: IMAGE })).toBe(true)
  })
})

describe('matching', () => {
  test('applies a rule to its complete path, and any rule may allow', () => {
    const text = wrapInService(`
      match /a { allow get; }
      match /a/{x} {
        allow get: if x == 'one';
        match /deep/{y} { allow get: if x + y == 'onetwo'; }
      }
      match /{any} { allow get: if any == 'b'; }`)
    const get = (name: string) => isAllowed(text, 'get', name)
    expect(
      ['a', 'b', 'c', 'a/one', 'a/two', 'a/one/deep/two', 'a/one/deep', 'a/one/x'].map(get),
    ).toEqual([true, true, false, true, false, true, false, false])
  })

  test('accepts exactly one nonempty segment for a wildcard', () => {
    const text = wrapInService('match /users/{uid}/{file} { allow get: if true; }')
    expect(isAllowed(text, 'get', 'users/alice/f')).toBe(true)
    expect(isAllowed(text, 'get', 'users/alice')).toBe(false)
    expect(isAllowed(text, 'get', 'users//f')).toBe(false)
    expect(isAllowed(text, 'get', 'users//alice/f')).toBe(false)
    expect(isAllowed(text, 'get', 'users/alice/f/g')).toBe(false)
  })

  test('accepts any number of segments for {name=**} in version 2, and at least one in version 1', () => {
    const body = 'match /img/{rest=**} { allow get, list; }'
    const first = wrapInService(body, '')
    expect(isAllowed(wrapInService(body), 'get', 'img')).toBe(true)
    expect(isAllowed(wrapInService(body), 'get', 'img/a/b')).toBe(true)
    expect(isAllowed(first, 'get', 'img')).toBe(false)
    expect(isAllowed(first, 'get', 'img/a/b')).toBe(true)
    expect(isAllowed(wrapInService(body), 'get', 'other/a')).toBe(false)
    expect(compileStorageRules(first).version).toBe(1)
    expect(compileStorageRules(wrapInService(body)).version).toBe(2)
  })

  test('allows {name=**} inside a path only in version 2', () => {
    const body = "match /{any=**}/thumbs/{id} { allow get: if any[0] == 'a'; }"
    expect(isAllowed(wrapInService(body), 'get', 'a/b/thumbs/1')).toBe(true)
    expect(isAllowed(wrapInService(body), 'get', 'x/thumbs/1')).toBe(false)
    expect(() => compileStorageRules(wrapInService(body, ''))).toThrow('last')
  })

  test('supports a named bucket', () => {
    const text = `service firebase.storage {
      match /b/bucket/o/{name} { allow get; }
      match /b/other/o/{x}/{y} { allow get; }
    }`
    expect(isAllowed(text, 'get', 'a')).toBe(true)
    expect(isAllowed(text, 'get', 'a/b')).toBe(false)
  })

  test.each([
    ['read', ['get', 'list']],
    ['write', ['create', 'update', 'delete']],
    ['get', ['get']],
    ['list', ['list']],
    ['create', ['create']],
    ['update', ['update']],
    ['delete', ['delete']],
  ])('maps %s to %s', (method, covered) => {
    const text = wrapInService(`match /{f} { allow ${method}; }`)
    const all = ['get', 'list', 'create', 'update', 'delete']
    expect(all.filter((asked) => isAllowed(text, asked, 'f'))).toEqual(covered)
  })

  test('lets an inner wildcard hide an outer one of the same name, while functions keep their own', () => {
    const text = wrapInService(`match /{id}/x {
      function outer() { return id; }
      match /{id} { allow get: if id == 'in' && outer() == 'out'; }
    }`)
    expect(isAllowed(text, 'get', 'out/x/in')).toBe(true)
    expect(isAllowed(text, 'get', 'in/x/out')).toBe(false)
  })
})

describe('the request', () => {
  evaluateRows([
    ['request.auth != null', true],
    ['request.auth != null', false, SIGNED_OUT],
    ['request.auth == null', true, SIGNED_OUT],
    ["request.auth.uid == 'alice'", true],
    ["request.auth.uid == 'alice'", 'error', SIGNED_OUT],
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
    ['resource.size == 2048 && request.resource.size == resource.size', true, STORED_STATES],
    ["resource.name == 'dir/file.png' && resource.md5Hash == 'abc'", true, STORED_STATES],
    ["resource.metadata.owner == 'alice'", true, STORED_STATES],
    ["'missing' in resource.metadata", false, STORED_STATES],
    ["resource.metadata.missing == 'x'", 'error', STORED_STATES],
    ['request.nothing == null', 'refused'],
    ['resource.data == null', 'refused'],
    ['request.resource.contentTypes == null', 'refused'],
    ['nothing == null', 'refused'],
    ['resource', 'error', STORED_STATES],
  ])
})

describe('operators', () => {
  evaluateRows([
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

  test('ignore an error when the other side decides', () => {
    const error = 'request.auth.token.nothing'
    expect(evaluateOutcome(`${error} || true`)).toBe(true)
    expect(evaluateOutcome(`true || ${error}`)).toBe(true)
    expect(evaluateOutcome(`${error} || false`)).toBe('error')
    expect(evaluateOutcome(`${error} && false`)).toBe(false)
    expect(evaluateOutcome(`false && ${error}`)).toBe(false)
    expect(evaluateOutcome(`${error} && true`)).toBe('error')
    expect(evaluateOutcome(`true && ${error}`)).toBe('error')
    expect(evaluateOutcome(`!${error}`)).toBe('error')
  })
})

describe('functions and methods', () => {
  evaluateRows([
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
    ["request.time < resource.timeCreated + duration.value(25, 'h')", true, STORED_STATES],
    ["request.time - resource.updated == duration.value(60, 's')", true, STORED_STATES],
    [
      "duration.value(90, 'm').seconds() == 5400 && duration.abs(-duration.value(1, 's')) > duration.value(999, 'ms')",
      true,
    ],
    ["duration.value(1, 'y') == null", 'error'],
    ["int('12') == 12 && int(2.9) == 2 && float('1.5') == 1.5 && float(2) is float", true],
    ["string(1) == '1' && string(true) == 'true' && bool('true')", true],
    ["int('12x') == 12", 'error'],
    ['int(resource.metadata.level) > 2', true, STORED_STATES],
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
    wrapInService(`${functions}\n match /{f} { allow get: if ${condition}; }`)

  test('may be used before their declaration and may call each other', () => {
    const text = wrapped(
      'function a(x) { return b(x) && x > 1; } function b(y) { let z = y + 1; return z == 3; }',
      'a(2)',
    )
    expect(isAllowed(text, 'get', 'f')).toBe(true)
  })

  test('may hide a wildcard or the request with a parameter', () => {
    const text = wrapped(
      "function f(request) { return request.anything == 'x'; }",
      "f({'anything': 'x'})",
    )
    expect(isAllowed(text, 'get', 'f')).toBe(true)
  })

  test('may appear outside the service, inside it, or in a match', () => {
    const text = `function yes() { return true; }
      service firebase.storage {
        function same() { return yes(); }
        match /b/{bucket}/o/{f} { function inner() { return same() && f == 'f'; } allow get: if inner(); }
      }`
    expect(isAllowed(text, 'get', 'f')).toBe(true)
    expect(isAllowed(text, 'get', 'g')).toBe(false)
  })

  test.each([
    ['a recursive call', 'function a() { return a(); }', 'true', 'calls itself'],
    [
      'a circular call',
      'function a() { return b(); } function b() { return a(); }',
      'true',
      'calls itself',
    ],
    [
      'a duplicate name',
      'function a() { return true; } function a() { return true; }',
      'a()',
      'twice',
    ],
    ['a duplicate parameter', 'function a(x, x) { return x; }', 'a(true, true)', 'twice'],
    ['a reserved name', 'function int() { return true; }', 'int()', 'language'],
    ['a wrong number of arguments', 'function a(x) { return x; }', 'a()', 'argument'],
    ['an unknown variable in an unused function', 'function a() { return f; }', 'true', "'f'"],
    ['a missing return', 'function a() { let x = true; }', 'true', 'return'],
    ['a let after the return', 'function a() { return true; let x = 1; }', 'true', "'}'"],
    ['an assignment', 'function a() { x = 1; return true; }', 'true', 'return'],
  ])('with %s are refused', (_title, functions, condition, message) => {
    expect(() => compileStorageRules(wrapped(functions, condition))).toThrow(message)
  })
})

describe('a file with invalid syntax', () => {
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
      'a version without a semicolon',
      "rules_version = '2'\nservice firebase.storage { }",
      '2:1',
      "';'",
    ],
    ['an allow in the service', 'service firebase.storage {\n allow read; }', '2:2', 'allow'],
    ['an unknown method', wrapInService('match /x { allow reads; }'), '4:18', 'reads'],
    ['a missing method', wrapInService('match /x { allow: if true; }'), '4:17', 'method'],
    ['a missing semicolon', wrapInService('match /x { allow get: if true }'), '4:31', "';'"],
    ['a missing if', wrapInService('match /x { allow get: true; }'), '4:23', "'if'"],
    ['a deny', wrapInService('match /x { deny get; }'), '4:12', 'deny'],
    ['a missing path', wrapInService('match { allow get; }'), '4:7', 'path'],
    [
      'a wildcard inside a segment',
      wrapInService('match /img_{id} { allow get; }'),
      '4:12',
      'segment',
    ],
    ['a wildcard before text', wrapInService('match /{id}.png { allow get; }'), '4:12', "'{'"],
    ['an empty segment', wrapInService('match /a//b { allow get; }'), '4:9', 'segment'],
    ['a trailing slash', wrapInService('match /a/ { allow get; }'), '4:9', 'segment'],
    ['two {=**}', wrapInService('match /{a=**}/{b=**} { allow get; }'), '4:16', 'last'],
    ['an unclosed brace', wrapInService('match /x { allow get;'), '7:1', 'the end of the file'],
    ['an unclosed comment', `${wrapInService('')} /* `, '7:2', "'/'"],
    ['text after the end', `${wrapInService('')} more`, '7:2', 'more'],
    ['an unclosed string', wrapInService("match /x { allow get: if 'a; }"), '4:26', "'"],
  ])('with %s is refused at the position of the error', (_title, text, place, message) => {
    expect(() => compileStorageRules(text)).toThrow(message)
    try {
      compileStorageRules(text)
    } catch (error) {
      expect(error).toBeInstanceOf(StorageRulesSyntaxError)
      const { line, column } = findLineAndColumn(text, (error as StorageRulesSyntaxError).at)
      expect(`${line}:${column}`).toBe(place)
    }
  })

  test('may contain comments and spaces, and may omit a space before a brace', () => {
    const text = `// first
      rules_version = "2"; /* second
      */ service firebase.storage{match /b/{ bucket }/o{match /{ all = ** }{allow get:if true;}}}`
    expect(isAllowed(text, 'get', 'a/b')).toBe(true)
  })
})

test('a pattern from the request cannot run long', () => {
  const text = wrapInService(
    'match /{f} { allow create: if f.matches(request.resource.contentType); }',
  )
  const after: Plain = { contentType: '(a+)+(b|bb)+$' }
  expect(isAllowed(text, 'create', `${'a'.repeat(50_000)}!`, { after })).toBe(false)
})
