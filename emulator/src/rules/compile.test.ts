import { describe, expect, test } from 'vitest'
import { compileRules, PLAIN_QUERY, RulesError } from './compile'
import type { Auth, CompiledRules } from './compile'
import { jsonView } from './testing/jsonView'
import type { View } from './view'

const NOW = 1_700_000_000_000
const ALICE: Auth = { uid: 'alice', provider: 'password', token: {} }

const keysOf = (path: string) => path.split('/').filter((key) => key !== '')
const rulesOf = (tree: unknown): CompiledRules => compileRules(JSON.stringify({ rules: tree }))

type Json = { [key: string]: unknown } | string | number | boolean | null

const put = (tree: unknown, keys: readonly string[], value: unknown): unknown => {
  const [key, ...rest] = keys
  if (key === undefined) return value
  const children = typeof tree === 'object' && tree !== null ? tree : {}
  return { ...children, [key]: put((children as Record<string, unknown>)[key], rest, value) }
}

const reader =
  (tree: unknown, { data = null, auth = ALICE }: { data?: Json; auth?: Auth | null } = {}) =>
  (path: string): boolean =>
    rulesOf(tree).canRead({
      path: keysOf(path),
      auth,
      now: NOW,
      root: jsonView(data),
      query: PLAIN_QUERY,
    })

/** A function that says whether an update (path to value, one path for a set) is allowed. */
const writer =
  (tree: unknown, { data = null, auth = ALICE }: { data?: Json; auth?: Auth | null } = {}) =>
  (update: Record<string, unknown>): boolean =>
    rulesOf(tree).canWrite({
      paths: Object.keys(update).map(keysOf),
      auth,
      now: NOW,
      root: jsonView(data),
      newRoot: jsonView(
        Object.entries(update).reduce<unknown>((t, [path, v]) => put(t, keysOf(path), v), data),
      ),
    })

describe('a rules file', () => {
  test('may hold comments, line breaks in strings and a byte order mark', () => {
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
        root: jsonView(null),
        query: PLAIN_QUERY,
      })
    expect(read(ALICE)).toBe(true)
    expect(read(null)).toBe(false)
  })

  test.each<[title: string, text: string, place: string, message: RegExp]>([
    ['nothing', '', '1:1', /Parse error/],
    ['no JSON', 'invalid json {{::', '1:1', /Parse error/],
    ['an open brace', '{"rules": {}', '1:13', /Parse error/],
    ['a trailing comma', '{"rules": {\n  ".read": true,\n}}', '3:1', /Parse error/],
    ['text after the end', '{"rules": {}} x', '1:15', /Parse error/],
    ['single quotes', "{'rules': {}}", '1:2', /Parse error/],
    ['a bad escape', '{"rules": {"a\\x": {}}}', '1:14', /Parse error/],
    ['an open comment', '{"rules": {}} /* ', '1:15', /Parse error/],
    ['an open string', '{"rules', '1:8', /Parse error/],
    ['no object', '[]', '1:1', /top-level/],
    ['no rules', '{}', '1:1', /top-level/],
    ['another key', '{"x": {}}', '1:2', /top-level/],
    ['a second key', '{"rules": {},\n "x": 1}', '2:2', /top-level/],
    ['rules that are no object', '{"rules": true}', '1:2', /top-level/],
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
    ['two variables in one place', '{"rules": {"$a": {}, "$b": {}}}', '1:22', /one \$variable/],
    ['a variable used twice', '{"rules": {"$a": {"b": {"$a": {}}}}}', '1:25', /already/],
    ['a bare dollar', '{"rules": {"$": {}}}', '1:12', /variable name/],
    ['a key with a slash', '{"rules": {"a/b": {}}}', '1:12', /Invalid key/],
    ['an empty key', '{"rules": {"": {}}}', '1:12', /Invalid key/],
    ['a key twice', '{"rules": {"a": {}, "a": {}}}', '1:21', /Duplicate/],
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
      'a bad regular expression',
      '{"rules": {".write": "newData.val().matches(/a(^b)/)"}}',
      '1:48',
      /regular expression/,
    ],
  ])('with %s is refused at its place', (_title, text, place, message) => {
    expect(() => compileRules(text)).toThrow(RulesError)
    expect(() => compileRules(text)).toThrow(message)
    expect(() => compileRules(text)).toThrow(new RegExp(`^${place}: `))
  })

  test('nested beyond reason is refused, not a crash', () => {
    const text = `{"rules": ${'{"a":'.repeat(50_000)}{}${'}'.repeat(50_000)}}`
    expect(() => compileRules(text)).toThrow(RulesError)
  })
})

describe('reading', () => {
  test('needs a rule on the way, and a rule at the root for the root', () => {
    const read = reader({ a: { '.read': true } })
    expect(read('/')).toBe(false)
    expect(read('a')).toBe(true)
    expect(read('a/b/c')).toBe(true)
    expect(read('b')).toBe(false)
    expect(reader({})('a')).toBe(false)
  })

  test('a rule that allows cannot be taken back below', () => {
    const read = reader({ '.read': true, a: { '.read': false } })
    expect(read('a')).toBe(true)
  })

  test('a rule that fails or denies leaves the word to those below', () => {
    const read = reader({ '.read': 'auth.none > 1', a: { '.read': false, b: { '.read': true } } })
    expect(read('a')).toBe(false)
    expect(read('a/b')).toBe(true)
  })

  test('a literal child hides the variable beside it even without a rule of its own', () => {
    const read = reader({ a: { x: {} }, $other: { '.read': "$other != 'secret'" } })
    expect(read('b')).toBe(true)
    expect(read('secret')).toBe(false)
    expect(read('a')).toBe(false)
  })

  test('data is the place of the rule, and variables are the keys of the path', () => {
    const tree = { rooms: { $room: { '.read': "data.child('members/' + auth.uid).exists()" } } }
    const read = reader(tree, { data: { rooms: { r1: { members: { alice: 1 } }, r2: { x: 1 } } } })
    expect(read('rooms/r1/messages/m1')).toBe(true)
    expect(read('rooms/r2')).toBe(false)
    const deep = reader({ $a: { $b: { $c: { '.read': "$a + $b + $c == 'xyz'" } } } })
    expect(deep('x/y/z/more')).toBe(true)
  })

  test('a place named like an object member is a place like any other', () => {
    const read = reader({ constructor: { '.read': true } })
    expect(read('constructor')).toBe(true)
    expect(read('__proto__')).toBe(false)
    expect(reader({ $any: { '.read': "$any == '__proto__'" } })('__proto__')).toBe(true)
  })
})

describe('writing', () => {
  test('needs a rule on the way; rules below what is written do not count', () => {
    const write = writer({
      a: { '.write': true, b: { '.write': false } },
      c: { d: { '.write': true } },
    })
    expect(write({ a: 1 })).toBe(true)
    expect(write({ 'a/b': 1 })).toBe(true)
    expect(write({ c: { d: 1 } })).toBe(false)
    expect(write({ 'c/d': 1 })).toBe(true)
    expect(write({ '/': 1 })).toBe(false)
  })

  test('newData is the tree after the write merged with what stays, root the tree before', () => {
    const data = { a: { x: 1, y: 2 } }
    const allowed = (rule: string) => writer({ a: { '.write': rule } }, { data })({ 'a/x': 10 })
    expect(allowed("newData.child('x').val() == 10 && newData.child('y').val() == 2")).toBe(true)
    expect(allowed("data.child('x').val() == 1 && root.child('a/x').val() == 1")).toBe(true)
    expect(allowed("newData.parent().child('a/x').val() == 10")).toBe(true)
    expect(allowed('newData.parent().parent().exists()')).toBe(false)
  })

  test('every validate from the root to the place and at all new data must hold', () => {
    const write = writer({
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

  test('a validate is judged deep below a place without one', () => {
    const write = writer({
      '.write': true,
      $a: { $b: { c: { '.validate': 'newData.isNumber()' } } },
    })
    expect(write({ '/': { x: { y: { c: 1, d: 'free' } } } })).toBe(true)
    expect(write({ '/': { x: { y: { c: 1 }, z: { c: 'bad' } } } })).toBe(false)
  })

  test('a literal child keeps its data from the validates of the variable beside it', () => {
    const write = writer({ '.write': true, free: {}, $rest: { '.validate': false } })
    expect(write({ free: 1 })).toBe(true)
    expect(write({ '/': { free: { x: 1 } } })).toBe(true)
    expect(write({ bound: 1 })).toBe(false)
  })

  test('removing skips the validates of what is removed, not those of what stays', () => {
    const data = { a: { x: 1, y: 2 }, b: { x: 1 } }
    const tree = {
      '.write': true,
      a: { '.validate': "newData.hasChildren(['x', 'y'])", x: { '.validate': false } },
      b: { '.validate': false },
    }
    const write = writer(tree, { data })
    expect(write({ a: null })).toBe(true)
    expect(write({ b: null })).toBe(true)
    expect(write({ 'a/x': null })).toBe(false)
    expect(write({ 'a/z': 1 })).toBe(true)
    expect(write({ 'b/x': null })).toBe(true)
  })

  test('removing still needs a write rule, which sees that nothing is left', () => {
    const write = writer({ a: { '.write': 'newData.exists()' } }, { data: { a: 1 } })
    expect(write({ a: 2 })).toBe(true)
    expect(write({ a: null })).toBe(false)
  })

  test('a runtime error denies the write, be it in a write rule or in a validate', () => {
    expect(writer({ '.write': 'auth.none > 1 || true' })({ a: 1 })).toBe(false)
    expect(writer({ '.write': true, a: { '.validate': "newData.val() > 'x'" } })({ a: 1 })).toBe(
      false,
    )
  })

  test('an update of several paths is judged on the merged result, path by path', () => {
    const tree = {
      users: {
        $uid: {
          '.write': '$uid == auth.uid',
          name: { '.validate': "newData.parent().parent().parent().child('names').hasChild($uid)" },
        },
      },
      names: { $uid: { '.write': '$uid == auth.uid', '.validate': 'newData.isString()' } },
    }
    const write = writer(tree)
    expect(write({ 'users/alice/name': 'Al' })).toBe(false)
    expect(write({ 'users/alice/name': 'Al', 'names/alice': 'Al' })).toBe(true)
    expect(write({ 'users/alice/name': 'Al', 'names/alice': 7 })).toBe(false)
    expect(write({ 'users/alice/name': 'Al', 'names/alice': 'Al', 'names/bob': 'Bo' })).toBe(false)
  })

  test('server timestamps arrive resolved, so they can be compared with now', () => {
    const write = writer({ at: { '.write': true, '.validate': 'newData.val() === now' } })
    expect(write({ at: NOW })).toBe(true)
    expect(write({ at: NOW - 1 })).toBe(false)
  })

  test('a change of priority is a write of its place', () => {
    const write = writer({
      a: {
        '.write': true,
        '.validate': 'newData.getPriority() == null || newData.getPriority() > 5',
      },
    })
    expect(write({ a: { '.value': 1, '.priority': 6 } })).toBe(true)
    expect(write({ a: { '.value': 1, '.priority': 5 } })).toBe(false)
  })

  test('children are only listed where a validate stands below a variable', () => {
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
    const newRoot = counting(jsonView({ big: { a: 1, b: 2 }, list: { x: 1 } }))
    const rules = rulesOf({
      '.write': true,
      list: { $item: { '.validate': 'newData.isNumber()' } },
      big: { $item: { '.read': true } },
    })
    const root = jsonView(null)
    expect(rules.canWrite({ paths: [[]], auth: null, now: NOW, root, newRoot })).toBe(true)
    expect(listed).toBe(1)
  })
})

test('indexes are found at the place of the query, variables included', () => {
  const rules = rulesOf({
    '.indexOn': '.value',
    users: { '.indexOn': ['age', 'name/last'], $uid: { trips: { '.indexOn': 'at' } } },
  })
  expect(rules.indexesAt([])).toEqual(['.value'])
  expect(rules.indexesAt(['users'])).toEqual(['age', 'name/last'])
  expect(rules.indexesAt(['users', 'alice', 'trips'])).toEqual(['at'])
  expect(rules.indexesAt(['users', 'alice'])).toEqual([])
  expect(rules.indexesAt(['nowhere', 'at', 'all'])).toEqual([])
})

test('rules tell whether a read depends on data or time', () => {
  const readsTree = (rule: string) => rulesOf({ a: { $b: { '.read': rule } } }).readsTree
  expect(readsTree('auth.uid == $b && query.limitToFirst < 5')).toBe(false)
  expect(readsTree('root.child($b).exists()')).toBe(true)
  expect(readsTree('auth != null && data.exists()')).toBe(true)
  expect(readsTree('now < 5')).toBe(true)
  expect(rulesOf({ '.write': 'root.exists() && now > 1', '.read': true }).readsTree).toBe(false)
})

test('coverage counts what each boolean expression came to, by its place', () => {
  const rules = compileRules(
    '{"rules": {\n  ".read": "auth != null && (auth.uid == \'alice\' || auth.n > 1)"\n}}',
  )
  const read = (auth: Auth | null) =>
    rules.canRead({ path: [], auth, now: NOW, root: jsonView(null), query: PLAIN_QUERY })
  expect([read(ALICE), read(null), read({ uid: 'bob' }), read({ n: 2 })]).toEqual([
    true,
    false,
    false,
    true,
  ])

  const counts = (text: string) => rules.coverage().find((site) => site.text === text)
  expect(counts('auth != null')).toMatchObject({ line: 2, column: 13, true: 3, false: 1, error: 0 })
  expect(counts("auth.uid == 'alice'")).toMatchObject({ line: 2, true: 1, false: 2 })
  const failed = rules.coverage().filter((site) => site.text === 'auth.n > 1')
  expect(failed.reduce((sum, site) => sum + site.error, 0)).toBe(1)
  expect(failed.reduce((sum, site) => sum + site.true, 0)).toBe(1)
})
