import { describe, expect, test } from 'vitest'
import { compileRules, DEFAULT_QUERY, RulesError } from './compiler'
import type { Auth } from './compiler'
import { createJsonView } from './testing/jsonView'
import type { QueryFacts } from './queryFacts'

const NOW = 1_700_000_000_000
const ALICE: Auth = {
  uid: 'alice',
  provider: 'password',
  token: { email: 'alice@example.com', admin: true, roles: ['driver', 'rider'], age: 7 },
  one: 1,
  yes: true,
}
const DATA = {
  name: 'Kerb',
  empty: '',
  count: 3,
  zero: 0,
  flag: false,
  ranked: { '.value': 'x', '.priority': 5 },
  list: { a: { b: { c: 'deep' } }, x: 1 },
  twin: { a: { b: { c: 'deep' } }, x: 1 },
  'users/slash': 1,
}

interface EvaluationOptions {
  auth?: Auth | null
  query?: Partial<QueryFacts>
}

/** Evaluates one expression as `.read` of /place/$id, at /place/p1. */
const evaluate = (expression: string, { auth = ALICE, query = {} }: EvaluationOptions): boolean =>
  compileRules(JSON.stringify({ rules: { place: { $id: { '.read': expression } } } })).canRead({
    path: ['place', 'p1'],
    auth,
    now: NOW,
    root: createJsonView({ ...DATA, place: { p1: { here: 1 } } }),
    query: { ...DEFAULT_QUERY, ...query },
  })

/**
 * Returns true, false, 'error' for a runtime error that fails the rule, or 'refused' when the
 * expression cannot be loaded.
 */
const evaluateOutcome = (
  expression: string,
  setting: EvaluationOptions = {},
): boolean | 'error' | 'refused' => {
  try {
    if (evaluate(expression, setting)) return true
    return evaluate(`(${expression}) || true`, setting) ? false : 'error'
  } catch (error) {
    if (error instanceof RulesError) return 'refused'
    throw error
  }
}

type Row = [expression: string, outcome: boolean | 'error' | 'refused', setting?: EvaluationOptions]
const evaluateRows = (rows: Row[]) =>
  test.each(rows)('evaluates %s to %s', (expression, expected, setting) => {
    expect(evaluateOutcome(expression, setting)).toBe(expected)
  })

const SIGNED_OUT: EvaluationOptions = { auth: null }

describe('variables', () => {
  evaluateRows([
    ['auth != null', true],
    ['auth != null', false, SIGNED_OUT],
    ['auth === null', true, SIGNED_OUT],
    ["auth.uid == 'alice'", true],
    ["auth.uid !== 'x'", true, SIGNED_OUT],
    ['auth.uid == null', true, SIGNED_OUT],
    ['auth.a.b.c == null', true, SIGNED_OUT],
    ['auth.token.admin === true', true],
    ["auth['token']['email'] == 'alice@example.com'", true],
    ["auth.token.roles[0] == 'driver'", true],
    ['auth.token.roles[9] == null', true],
    ['auth.token[$id] == null', true],
    ['auth.token[auth.none] == null', 'error'],
    ['auth.__proto__ == null', true],
    ['auth.constructor == null', true],
    ['auth.token.roles.length == 2', true],
    ['now == 1700000000000', true],
    ["$id == 'p1'", true],
    ["$id.length == 2 && $id.contains('p')", true],
    ['data.child("here").val() == 1', true],
    ["root.child('name').val() == 'Kerb'", true],
    ['$other == 1', 'refused'],
    ['skies === "blue"', 'refused'],
    ['newData.exists()', 'refused'],
    ['undefined == null', 'refused'],
    ['this == null', 'refused'],
    ['Math.max(1) == 1', 'refused'],
  ])
})

describe('operators', () => {
  evaluateRows([
    ['true && true', true],
    ['true && false', false],
    ['false || true', true],
    ['!false', true],
    ['true ? false : true', false],
    ['auth.one == 1 ? true : 1 > auth.none', true],
    ['(auth.one == 1 ? data : root).exists()', true],
    ["(true ? 'a' : 'b') == 'a'", true],
    ['(true ? 1 : null) == 1', true],
    ['(true ? data : 1) == 1', 'refused'],
    ["auth.uid == 'alice' ? 7 : true", 'refused'],
    ['auth.uid && true', 'refused'],
    ['true || auth.uid', 'refused'],
    ['!auth.uid', 'refused'],
    ['!1', 'refused'],
    ['auth.yes ? true : false', 'refused'],
    ['auth.yes', 'refused'],
    ['data.val()', 'refused'],
    ['data', 'refused'],
    ['7', 'refused'],
    ["'foo'", 'refused'],
    ['null', 'refused'],
    // Equality
    ['1 == 1.0', true],
    ["1 == '1'", false],
    ["1 != '1'", true],
    ['null == null', true],
    ['auth.none === null', true],
    ["'é' == 'é'", true],
    ['data != null', 'refused'],
    ['query == null', 'refused'],
    ['[1] == [1]', 'refused'],
    ['/a/ == /a/', 'refused'],
    ["root.child('list').val() == root.child('twin').val()", true],
    ["root.child('list').val() == root.child('list/a').val()", false],
    ["root.child('list').val() != null", true],
    ['auth.token == auth.token', true],
    // Order
    ['1 < 2', true],
    ['2 <= 2', true],
    ['3 > 4', false],
    ['4 >= 4', true],
    ["'a' < 'b'", true],
    ["'b' <= 'a'", false],
    ['auth.one < 5', true],
    ["auth.one < 'a'", 'error'],
    ['auth.none < 5', 'error'],
    ['5 > auth.none', 'error'],
    ['auth.yes > 0', 'error'],
    ["root.child('list').val() > 0", 'error'],
    ['auth.one > true', 'refused'],
    ["1 < 'a'", 'refused'],
    ['1 < null', 'refused'],
    ['data < 1', 'refused'],
    // Arithmetic
    ['1 + 2 * 3 - 4 / 2 == 5', true],
    ['7 % 4 == 3', true],
    ['-auth.one == -1', true],
    ['- -1 == 1', true],
    ["'a' + 1 == 'a1'", true],
    ["1 + 'a' == '1a'", true],
    ["auth.uid + '!' == 'alice!'", true],
    ["'x' + auth.none == 'x'", 'error'],
    ['auth.yes + 1 == 2', 'error'],
    ['auth.uid - 1 == 0', 'error'],
    ['auth.none * 2 == 0', 'error'],
    ['-auth.uid == 1', 'error'],
    ["'a' - 1 == 0", 'refused'],
    ["'a' + true == 'atrue'", 'refused'],
    ["'a' + null == 'anull'", 'refused'],
    ["-'a' == 1", 'refused'],
    ['+1 == 1', 'refused'],
    ["(1/0 + '') == 'NaN'", true],
    ['1/0 > 2', false],
    ['1/0 < 2', false],
    // Not in the language
    ['1 == 1;', 'refused'],
    ['true; true', 'refused'],
    ['2 ** 2 == 4', 'refused'],
    ['(1, true)', 'refused'],
    ['auth = null', 'refused'],
    ['1 & 1 == 1', 'refused'],
    ['typeof auth == 1', 'refused'],
    ["'uid' in auth", 'refused'],
    ['auth ?? true', 'refused'],
    ['auth?.uid == 1', 'refused'],
    ['`a` == 1', 'refused'],
    ['(() => true)()', 'refused'],
    ['function(){ return true }()', 'refused'],
    ['{}', 'refused'],
    ['', 'refused'],
    ['true //', 'refused'],
    ['true /* yes */ && true', 'refused'],
    ['1 <!--2', 'refused'],
    ['(true', 'refused'],
    ['true)', 'refused'],
  ])

  test('do not evaluate a skipped side, but fail on an error in an evaluated one', () => {
    expect(evaluateOutcome('true || auth.none > 1')).toBe(true)
    expect(evaluateOutcome('false && auth.none > 1')).toBe(false)
    expect(evaluateOutcome('auth.none > 1 || true')).toBe('error')
    expect(evaluateOutcome('!(auth.none > 1)')).toBe('error')
    expect(evaluateOutcome('(auth.none > 1) == false')).toBe('error')
    expect(evaluateOutcome('auth.none > 1 ? true : true')).toBe('error')
  })
})

describe('snapshots', () => {
  evaluateRows([
    ["root.child('name').exists()", true],
    ["root.child('missing').exists()", false],
    ["root.child('list/a/b/c').val() == 'deep'", true],
    ["root.child('/list//a/').hasChild('b/c')", true],
    ["root.child('list').child('a').parent().child('x').val() == 1", true],
    ["root.child('list/a/b').parent().parent().hasChild('x')", true],
    ["data.parent().parent().hasChild('name')", true],
    ['root.parent().exists()', 'error'],
    ['data.parent().parent().parent().exists()', 'error'],
    ["root.hasChild('name')", true],
    ["root.hasChild('missing')", false],
    ['root.hasChildren()', true],
    ["root.child('name').hasChildren()", false],
    ["root.hasChildren(['name', 'list/a'])", true],
    ["root.hasChildren(['name', 'missing'])", false],
    ["root.hasChildren(['missing', auth.none])", 'error'],
    ['root.hasChildren([])', 'refused'],
    ['root.hasChildren([7])', 'refused'],
    ["root.hasChildren('name')", 'refused'],
    ["root.hasChildren(['name'], ['list'])", 'refused'],
    ['root.hasChildren([,])', 'refused'],
    ["root.child('missing').val() == null", true],
    ["root.child('list').val() == null", false],
    ["root.child('flag').val() == false", true],
    ["root.child('count').val() + 1 == 4", true],
    ["root.child('name').val().length == 4", true],
    ["root.child('empty').val().length == 0", true],
    ["root.child('count').val().length > 0", 'error'],
    ["root.child('list').val().x == 1", 'refused'],
    ["root.child('count').isNumber()", true],
    ["root.child('name').isNumber()", false],
    ["root.child('name').isString()", true],
    ["root.child('list').isString()", false],
    ["root.child('flag').isBoolean()", true],
    ["root.child('missing').isBoolean()", false],
    ["root.child('ranked').getPriority() == 5", true],
    ["root.child('name').getPriority() == null", true],
    ['root.child(auth.none).exists()', 'error'],
    ['root.child(auth.one).exists()', 'error'],
    ['root.hasChild(auth.none)', 'error'],
    ["root.child('alice@example.com').exists()", false],
    ["root.child('a.b#c$d[e]').exists()", false],
    ['root.child(7).exists()', 'refused'],
    ['root.child().exists()', 'refused'],
    ["root.child('a', 'b').exists()", 'refused'],
    ["root.exists('a')", 'refused'],
    ["root['exists']()", true],
    ["root['exi' + 'sts']()", 'refused'],
    ['root[$id]()', 'refused'],
    ['root.exists', 'refused'],
    ['root.name == 1', 'refused'],
    ['root.forEach()', 'refused'],
    ['root()', 'refused'],
  ])
})

describe('strings', () => {
  evaluateRows([
    ["'kerb'.contains('er')", true],
    ["'kerb'.contains('x')", false],
    ["'kerb'.beginsWith('ke')", true],
    ["'kerb'.beginsWith('er')", false],
    ["'kerb'.endsWith('rb')", true],
    ["'erb kerb'.endsWith('erb')", true],
    ["'a-b-c'.replace('-', '$&') == 'a$&b$&c'", true],
    ["'a.b'.replace('.', '') == 'ab'", true],
    ["'Kerb'.toLowerCase() == 'kerb'", true],
    ["'Kerb'.toUpperCase() == 'KERB'", true],
    ["'kerb'.length == 4", true],
    ["'kerb'['length'] == 4", true],
    ["auth.uid['contains']('lic')", true],
    ["auth.uid['nope']('lic')", 'refused'],
    ["'kerb'.matches(/^k.*b$/)", true],
    ["'KERB'.matches(/kerb/i)", true],
    ['auth.token.email.matches(/@example\\.com$/)', true],
    ['auth.none.matches(/a/)', 'error'],
    ["auth.none.contains('a')", 'error'],
    ["auth.one.contains('1')", 'error'],
    ["'a'.contains(auth.none)", 'error'],
    ["'a'.replace('a', auth.one) == '1'", 'error'],
    ["'a'.contains(1)", 'refused'],
    ["'a'.contains()", 'refused'],
    ["'a'.contains('a', 'b')", 'refused'],
    ["'a'.replace('a') == 'b'", 'refused'],
    ["'a'.toLowerCase('x') == 'a'", 'refused'],
    ["'a'.trim() == 'a'", 'refused'],
    ["'a'.matches('a')", 'refused'],
    ["'a'.matches('/a/')", 'refused'],
    ["'a'.matches(auth.uid)", 'refused'],
    ["'a'.matches(/a/g)", 'refused'],
    ["'a'.matches(/(^a$|b)/)", 'refused'],
    ["'a'.matches(/a(?=b)/)", 'refused'],
    ["'a'.matches(/(/)", 'refused'],
    ['(1).contains("a")', 'refused'],
    ['now.length == 1', 'refused'],
  ])
})

describe('queries', () => {
  evaluateRows([
    ['query.orderByKey', true],
    ['query.orderByKey == true && !query.orderByValue && !query.orderByPriority', true],
    ['query.orderByChild == null && query.equalTo == null', true],
    [
      "query.orderByChild == 'owner' && query.equalTo == auth.uid",
      true,
      { query: { orderByKey: false, orderByChild: 'owner', equalTo: 'alice' } },
    ],
    [
      "query.orderByChild == 'owner' && query.equalTo == auth.uid",
      false,
      { query: { orderByKey: false, orderByChild: 'owner', equalTo: 'bob' } },
    ],
    ['query.limitToFirst <= 100', true, { query: { limitToFirst: 100 } }],
    ['query.limitToFirst <= 100', false, { query: { limitToFirst: 101 } }],
    ['query.limitToFirst <= 100', 'error'],
    ['query.startAt == 3 && query.endAt == null', true, { query: { startAt: 3 } }],
    ["query.startAt.contains('a')", true, { query: { startAt: 'bar' } }],
    ['query.foo == 1', 'refused'],
    ['query.orderBy == 1', 'refused'],
    ["query['orderByKey']", true],
    ['query[$id] == 1', 'refused'],
  ])
})

test('treats line breaks inside a rule as spaces', () => {
  const rules = compileRules('{"rules": {".read": "auth != null\n  && auth.uid\r\n == \'alice\'"}}')
  const request = {
    path: [],
    auth: ALICE,
    now: NOW,
    root: createJsonView(null),
    query: DEFAULT_QUERY,
  }
  expect(rules.canRead(request)).toBe(true)
})

test('refuses an expression with extreme nesting', () => {
  expect(evaluateOutcome(`${'('.repeat(100_000)}true${')'.repeat(100_000)}`)).toBe('refused')
  expect(evaluateOutcome(`${'!'.repeat(100_000)}true`)).toBe('refused')
})
