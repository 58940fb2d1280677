import { describe, expect, test } from 'vitest'
import { compileRules, DEFAULT_QUERY, RulesError } from './compiler'
import type { Auth, CompiledRules } from './compiler'
import { createJsonView } from './testing/jsonView'
import type { View } from './view'

const NOW = 1_700_000_000_000
const ALICE: Auth = { uid: 'alice', provider: 'password', token: {} }

const splitKeys = (path: string) => path.split('/').filter((key) => key !== '')
const compileTree = (tree: unknown): CompiledRules => compileRules(JSON.stringify({ rules: tree }))

type Json = { [key: string]: unknown } | string | number | boolean | null

const setAt = (tree: unknown, keys: readonly string[], value: unknown): unknown => {
  const [key, ...rest] = keys
  if (key === undefined) return value
  const children = typeof tree === 'object' && tree !== null ? tree : {}
  return { ...children, [key]: setAt((children as Record<string, unknown>)[key], rest, value) }
}

const createReader =
  (tree: unknown, { data = null, auth = ALICE }: { data?: Json; auth?: Auth | null } = {}) =>
  (path: string): boolean =>
    compileTree(tree).canRead({
      path: splitKeys(path),
      auth,
      now: NOW,
      root: createJsonView(data),
      query: DEFAULT_QUERY,
    })

/**
 * Returns a function that tells whether an update (path to value, one path for a set) is allowed.
 */
const createWriter =
  (tree: unknown, { data = null, auth = ALICE }: { data?: Json; auth?: Auth | null } = {}) =>
  (update: Record<string, unknown>): boolean =>
    compileTree(tree).canWrite({
      paths: Object.keys(update).map(splitKeys),
      auth,
      now: NOW,
      root: createJsonView(data),
      newRoot: createJsonView(
        Object.entries(update).reduce<unknown>(
          (t, [path, v]) => setAt(t, splitKeys(path), v),
          data,
        ),
      ),
    })

describe('a rules file', () => {
  test('may contain comments, line breaks in strings and a byte order mark', () => {
    const text = `\uFEFF// who may read
      { /* "rules": { ".read": true } } */
        "rules": { // all
          ".read": "auth != null &&
             auth.uid == 'alice'" /* nobody
          else */
        }
      }
      // the end`
    const read = (auth: Auth | null) =>
      compileRules(text).canRead({
        path: [],
        auth,
        now: NOW,
        root: createJsonView(null),
        query: DEFAULT_QUERY,
      })
    expect(read(ALICE)).toBe(true)
    expect(read(null)).toBe(false)
  })

  test.each<[title: string, text: string, place: string, message: RegExp]>([
    ['nothing', '', '1:1', /Parse error/],
    ['text that is not JSON', 'invalid json {{::', '1:1', /Parse error/],
    ['an opening brace that is not closed', '{"rules": {}', '1:13', /Parse error/],
    ['a trailing comma', '{"rules": {\n  ".read": true,\n}}', '3:1', /Parse error/],
    ['text after the end', '{"rules": {}} x', '1:15', /Parse error/],
    ['single quotes', "{'rules': {}}", '1:2', /Parse error/],
    ['an invalid escape', '{"rules": {"a\\x": {}}}', '1:14', /Parse error/],
    ['an unclosed comment', '{"rules": {}} /* ', '1:15', /Parse error/],
    ['an unclosed string', '{"rules', '1:8', /Parse error/],
    ['a value that is not an object', '[]', '1:1', /top-level/],
    ['no rules', '{}', '1:1', /top-level/],
    ['another key', '{"x": {}}', '1:2', /top-level/],
    ['a second key', '{"rules": {},\n "x": 1}', '2:2', /top-level/],
    ['rules that are not an object', '{"rules": true}', '1:2', /top-level/],
    ['a null node', '{"rules": {"a": null}}', '1:17', /object/],
    ['a primitive node', '{"rules": {"a": "true"}}', '1:17', /object/],
    ['a list node', '{"rules": {"a": []}}', '1:17', /object/],
    ['an unknown dot rule', '{"rules": {".woops": true}}', '1:12', /\.woops/],
    ['a numeric rule', '{"rules": {".read": 1}}', '1:21', /string or a boolean/],
    ['a null rule', '{"rules": {".read": null}}', '1:21', /string or a boolean/],
    ['an object rule', '{"rules": {".write": {}}}', '1:22', /string or a boolean/],
    ['a boolean index', '{"rules": {".indexOn": true}}', '1:24', /indexOn/],
    ['an index object', '{"rules": {".indexOn": {}}}', '1:24', /indexOn/],
    ['an index of numbers', '{"rules": {".indexOn": ["a", 1]}}', '1:30', /indexOn/],
    ['two variables at one level', '{"rules": {"$a": {}, "$b": {}}}', '1:22', /one \$variable/],
    ['a variable used twice', '{"rules": {"$a": {"b": {"$a": {}}}}}', '1:25', /already/],
    ['a variable without a name', '{"rules": {"$": {}}}', '1:12', /variable name/],
    ['a key with a slash', '{"rules": {"a/b": {}}}', '1:12', /Invalid key/],
    ['an empty key', '{"rules": {"": {}}}', '1:12', /Invalid key/],
    ['a duplicate key', '{"rules": {"a": {}, "a": {}}}', '1:21', /Duplicate/],
    [
      'an unknown variable',
      '{\n  "rules": {\n    ".read": "tr"\n}}',
      '3:15',
      /Unknown variable 'tr'/,
    ],
    ['a variable of another branch', '{"rules":{"$a":{},"b":{".read":"$a==1"}}}', '1:33', /\$a/],
    ['newData in a read', '{"rules": {".read": "newData.exists()"}}', '1:22', /newData/],
    ['query in a write', '{"rules": {".write": "query.orderByKey"}}', '1:23', /query/],
    ['an empty rule', '{"rules": {".read": ""}}', '1:22', /Parse error/],
    [
      'an error after escapes and line breaks',
      '{"rules": {".read": "\\"a\\" == \'\\u0061\' &&\n   nope"}}',
      '2:4',
      /nope/,
    ],
    [
      'an invalid regular expression',
      '{"rules": {".write": "newData.val().matches(/a(^b)/)"}}',
      '1:48',
      /regular expression/,
    ],
  ])('with %s is refused at the position of the error', (_title, text, place, message) => {
    expect(() => compileRules(text)).toThrow(RulesError)
    expect(() => compileRules(text)).toThrow(message)
    expect(() => compileRules(text)).toThrow(new RegExp(`^${place}: `))
  })

  test('with extreme nesting is refused without a crash', () => {
    const text = `{"rules": ${'{"a":'.repeat(50_000)}{}${'}'.repeat(50_000)}}`
    expect(() => compileRules(text)).toThrow(RulesError)
  })
})

describe('reading', () => {
  test('needs a rule on the path, and for the root a rule at the root', () => {
    const read = createReader({ a: { '.read': true } })
    expect(read('/')).toBe(false)
    expect(read('a')).toBe(true)
    expect(read('a/b/c')).toBe(true)
    expect(read('b')).toBe(false)
    expect(createReader({})('a')).toBe(false)
  })

  test('cannot be revoked below a rule that allows it', () => {
    const read = createReader({ '.read': true, a: { '.read': false } })
    expect(read('a')).toBe(true)
  })

  test('can be allowed by a lower rule when a higher one fails or denies', () => {
    const read = createReader({
      '.read': 'auth.none > 1',
      a: { '.read': false, b: { '.read': true } },
    })
    expect(read('a')).toBe(false)
    expect(read('a/b')).toBe(true)
  })

  test('uses a literal child instead of its sibling variable, even without a rule in it', () => {
    const read = createReader({ a: { x: {} }, $other: { '.read': "$other != 'secret'" } })
    expect(read('b')).toBe(true)
    expect(read('secret')).toBe(false)
    expect(read('a')).toBe(false)
  })

  test('resolves data to the place of the rule, and variables to the keys of the path', () => {
    const tree = { rooms: { $room: { '.read': "data.child('members/' + auth.uid).exists()" } } }
    const read = createReader(tree, {
      data: { rooms: { r1: { members: { alice: 1 } }, r2: { x: 1 } } },
    })
    expect(read('rooms/r1/messages/m1')).toBe(true)
    expect(read('rooms/r2')).toBe(false)
    const deep = createReader({ $a: { $b: { $c: { '.read': "$a + $b + $c == 'xyz'" } } } })
    expect(deep('x/y/z/more')).toBe(true)
  })

  test('works at a place named like an object member', () => {
    const read = createReader({ constructor: { '.read': true } })
    expect(read('constructor')).toBe(true)
    expect(read('__proto__')).toBe(false)
    expect(createReader({ $any: { '.read': "$any == '__proto__'" } })('__proto__')).toBe(true)
  })
})

describe('writing', () => {
  test('needs a rule on the path; rules below the written place do not count', () => {
    const write = createWriter({
      a: { '.write': true, b: { '.write': false } },
      c: { d: { '.write': true } },
    })
    expect(write({ a: 1 })).toBe(true)
    expect(write({ 'a/b': 1 })).toBe(true)
    expect(write({ c: { d: 1 } })).toBe(false)
    expect(write({ 'c/d': 1 })).toBe(true)
    expect(write({ '/': 1 })).toBe(false)
  })

  test('provides the merged tree after the write as newData, and the tree before it as root', () => {
    const data = { a: { x: 1, y: 2 } }
    const allowed = (rule: string) =>
      createWriter({ a: { '.write': rule } }, { data })({ 'a/x': 10 })
    expect(allowed("newData.child('x').val() == 10 && newData.child('y').val() == 2")).toBe(true)
    expect(allowed("data.child('x').val() == 1 && root.child('a/x').val() == 1")).toBe(true)
    expect(allowed("newData.parent().child('a/x').val() == 10")).toBe(true)
    expect(allowed('newData.parent().parent().exists()')).toBe(false)
  })

  test('requires every validate rule from the root to the place and in all new data', () => {
    const write = createWriter({
      '.write': true,
      '.validate': "newData.hasChild('a')",
      a: {
        '.validate': 'newData.hasChildren()',
        name: { '.validate': 'newData.isString() && newData.val().length < 5' },
        list: { $item: { '.validate': "newData.isNumber() && $item.beginsWith('i')" } },
        $other: { '.validate': false },
      },
    })
    expect(write({ a: { name: 'Kerb', list: { i1: 1, i2: 2 } } })).toBe(true)
    expect(write({ a: { name: 'Kerbs' + 'ide' } })).toBe(false)
    expect(write({ a: { name: 'ok', list: { i1: 1, i2: 'two' } } })).toBe(false)
    expect(write({ a: { name: 'ok', list: { x1: 1 } } })).toBe(false)
    expect(write({ a: { name: 'ok', extra: 1 } })).toBe(false)
    expect(write({ a: 'leaf' })).toBe(false)
    expect(write({ b: 1 })).toBe(false)
    expect(write({ 'a/name': 7 })).toBe(false)
    expect(write({ 'a/list/i3/deep': 1 })).toBe(false)
  })

  test('applies a validate rule deep below a place without one', () => {
    const write = createWriter({
      '.write': true,
      $a: { $b: { c: { '.validate': 'newData.isNumber()' } } },
    })
    expect(write({ '/': { x: { y: { c: 1, d: 'free' } } } })).toBe(true)
    expect(write({ '/': { x: { y: { c: 1 }, z: { c: 'bad' } } } })).toBe(false)
  })

  test('does not apply the validate rules of a variable to its literal sibling', () => {
    const write = createWriter({ '.write': true, free: {}, $rest: { '.validate': false } })
    expect(write({ free: 1 })).toBe(true)
    expect(write({ '/': { free: { x: 1 } } })).toBe(true)
    expect(write({ bound: 1 })).toBe(false)
  })

  test('null skips the validate rules of the removed data, but not those of the remaining data', () => {
    const data = { a: { x: 1, y: 2 }, b: { x: 1 } }
    const tree = {
      '.write': true,
      a: { '.validate': "newData.hasChildren(['x', 'y'])", x: { '.validate': false } },
      b: { '.validate': false },
    }
    const write = createWriter(tree, { data })
    expect(write({ a: null })).toBe(true)
    expect(write({ b: null })).toBe(true)
    expect(write({ 'a/x': null })).toBe(false)
    expect(write({ 'a/z': 1 })).toBe(true)
    expect(write({ 'b/x': null })).toBe(true)
  })

  test('null needs a write rule, which sees no remaining data', () => {
    const write = createWriter({ a: { '.write': 'newData.exists()' } }, { data: { a: 1 } })
    expect(write({ a: 2 })).toBe(true)
    expect(write({ a: null })).toBe(false)
  })

  test('is denied after a runtime error in a write or validate rule', () => {
    expect(createWriter({ '.write': 'auth.none > 1 || true' })({ a: 1 })).toBe(false)
    expect(
      createWriter({ '.write': true, a: { '.validate': "newData.val() > 'x'" } })({ a: 1 }),
    ).toBe(false)
  })

  test('evaluates an update of several paths path by path, on the merged result', () => {
    const tree = {
      users: {
        $uid: {
          '.write': '$uid == auth.uid',
          name: { '.validate': "newData.parent().parent().parent().child('names').hasChild($uid)" },
        },
      },
      names: { $uid: { '.write': '$uid == auth.uid', '.validate': 'newData.isString()' } },
    }
    const write = createWriter(tree)
    expect(write({ 'users/alice/name': 'Al' })).toBe(false)
    expect(write({ 'users/alice/name': 'Al', 'names/alice': 'Al' })).toBe(true)
    expect(write({ 'users/alice/name': 'Al', 'names/alice': 7 })).toBe(false)
    expect(write({ 'users/alice/name': 'Al', 'names/alice': 'Al', 'names/bob': 'Bo' })).toBe(false)
  })

  test('resolves server timestamps first, so that rules can compare them with now', () => {
    const write = createWriter({ at: { '.write': true, '.validate': 'newData.val() === now' } })
    expect(write({ at: NOW })).toBe(true)
    expect(write({ at: NOW - 1 })).toBe(false)
  })

  test('a priority is a write of its place', () => {
    const write = createWriter({
      a: {
        '.write': true,
        '.validate': 'newData.getPriority() == null || newData.getPriority() > 5',
      },
    })
    expect(write({ a: { '.value': 1, '.priority': 6 } })).toBe(true)
    expect(write({ a: { '.value': 1, '.priority': 5 } })).toBe(false)
  })

  test('lists children only where a validate rule exists below a variable', () => {
    let listed = 0
    const counting = (view: View): View => ({
      exists: view.exists,
      child: (key) => counting(view.child(key)),
      value: () => view.value(),
      hasChildren: () => view.hasChildren(),
      keys: () => {
        listed++
        return view.keys()
      },
      priority: () => view.priority(),
      toJSON: () => view.toJSON(),
    })
    const newRoot = counting(createJsonView({ big: { a: 1, b: 2 }, list: { x: 1 } }))
    const rules = compileTree({
      '.write': true,
      list: { $item: { '.validate': 'newData.isNumber()' } },
      big: { $item: { '.read': true } },
    })
    const root = createJsonView(null)
    expect(rules.canWrite({ paths: [[]], auth: null, now: NOW, root, newRoot })).toBe(true)
    expect(listed).toBe(1)
  })
})

test('finds indexes at the place of the query, including below variables', () => {
  const rules = compileTree({
    '.indexOn': '.value',
    users: { '.indexOn': ['age', 'name/last'], $uid: { trips: { '.indexOn': 'at' } } },
  })
  expect(rules.findIndexes([])).toEqual(['.value'])
  expect(rules.findIndexes(['users'])).toEqual(['age', 'name/last'])
  expect(rules.findIndexes(['users', 'alice', 'trips'])).toEqual(['at'])
  expect(rules.findIndexes(['users', 'alice'])).toEqual([])
  expect(rules.findIndexes(['nowhere', 'at', 'all'])).toEqual([])
})

test('reports whether a read depends on data or time', () => {
  const readsTree = (rule: string) =>
    compileTree({ a: { $b: { '.read': rule } } }).isReadDataDependent
  expect(readsTree('auth.uid == $b && query.limitToFirst < 5')).toBe(false)
  expect(readsTree('root.child($b).exists()')).toBe(true)
  expect(readsTree('auth != null && data.exists()')).toBe(true)
  expect(readsTree('now < 5')).toBe(true)
  expect(
    compileTree({ '.write': 'root.exists() && now > 1', '.read': true }).isReadDataDependent,
  ).toBe(false)
})

test('coverage counts the outcomes of each boolean expression by position', () => {
  const rules = compileRules(
    '{"rules": {\n  ".read": "auth != null && (auth.uid == \'alice\' || auth.n > 1)"\n}}',
  )
  const read = (auth: Auth | null) =>
    rules.canRead({ path: [], auth, now: NOW, root: createJsonView(null), query: DEFAULT_QUERY })
  expect([read(ALICE), read(null), read({ uid: 'bob' }), read({ n: 2 })]).toEqual([
    true,
    false,
    false,
    true,
  ])

  const counts = (text: string) => rules.getCoverage().find((site) => site.text === text)
  expect(counts('auth != null')).toMatchObject({ line: 2, column: 13, true: 3, false: 1, error: 0 })
  expect(counts("auth.uid == 'alice'")).toMatchObject({ line: 2, true: 1, false: 2 })
  const failed = rules.getCoverage().filter((site) => site.text === 'auth.n > 1')
  expect(failed.reduce((sum, site) => sum + site.error, 0)).toBe(1)
  expect(failed.reduce((sum, site) => sum + site.true, 0)).toBe(1)
})
