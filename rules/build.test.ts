import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BOOKING_EVENTS, isTransitionAllowed } from '~/domain/booking/transitions'
import { dbPaths } from '~/domain/data/databasePaths'
import { RULES_FILE, renderRulesFile } from './build'
import { MAX_CONDITION_CHARS } from './ruleCompression'
import type { Rule } from './ruleBuilders'
import { rulesTree } from './tree'
import { STATUSES, type Status } from '~/domain/booking/types'

interface Place {
  path: string
  rule: Rule
}
const places = (rule: Rule, path = ''): Place[] => [
  { path, rule },
  ...Object.entries(rule.children ?? {}).flatMap(([key, child]) => places(child, `${path}/${key}`)),
]
const all = places(rulesTree)
const ruleAt = (path: string): Rule | undefined =>
  path.split('/').reduce<Rule | undefined>((rule, key) => {
    const children = rule?.children ?? {}
    const captured = Object.keys(children).find((name) => name.startsWith('$') && name !== '$other')
    return children[key] ?? (captured === undefined ? undefined : children[captured])
  }, rulesTree)

test('database.rules.json matches its source; if this fails, run `npm run generate`', () => {
  expect(readFileSync(RULES_FILE, 'utf8')).toBe(renderRulesFile())
})

describe('the size of the rules file', () => {
  const conditions = (rules: object, path = ''): [path: string, condition: string][] =>
    Object.entries(rules).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'string'
        ? [[`${path}/${key}`, value] as [string, string]]
        : typeof value === 'object' && value !== null && !Array.isArray(value)
          ? conditions(value, `${path}/${key}`)
          : [],
    )
  const file = JSON.parse(readFileSync(RULES_FILE, 'utf8')) as { rules: object }

  test('is at most 64,000 bytes', () => {
    expect(statSync(RULES_FILE).size).toBeLessThanOrEqual(64_000)
  })

  test('is at most 1,500 characters per condition', () => {
    const long = conditions(file.rules).filter(([, { length }]) => length > MAX_CONDITION_CHARS)
    expect(MAX_CONDITION_CHARS).toBe(1500)
    expect(long.map(([path]) => path)).toEqual([])
  })

  test('stays small because every rule looks up a role with the same short expression', () => {
    const asked = conditions(file.rules).flatMap(
      ([, text]) => text.match(/root\.child\('roles[^)]*\)/g) ?? [],
    )
    expect(new Set(asked)).toEqual(new Set(["root.child('roles/'+auth.uid)"]))
    // A driver's key on the riders' map and the end of all sessions are not roles.
    const others = conditions(file.rules).filter(([, text]) =>
      /'users\/'\+auth\.uid(?!\+'\/(shift|sessionsEnd)')/.test(text),
    )
    expect(others).toEqual([])
  })
})

test('no client can write the root, and only functions can read it', () => {
  expect(rulesTree.write).toBeUndefined()
  expect(rulesTree.read).toBe("auth.uid === 'server'")
})

test('every place with literal names refuses all other names', () => {
  const open = all.filter(({ rule }) => {
    const names = Object.keys(rule.children ?? {})
    const spelled = names.some((name) => !name.startsWith('$'))
    return spelled && rule.children?.['$other']?.validate !== 'false'
  })
  expect(open.map(({ path }) => path)).toEqual([])
})

test('a captured key has a unique name along its path', () => {
  const twice = all.filter(({ path }) => {
    const captured = path.split('/').filter((key) => key.startsWith('$') && key !== '$other')
    return new Set(captured).size < captured.length
  })
  expect(twice.map(({ path }) => path)).toEqual([])
})

test('every database path of the domain has rules', () => {
  const named = Object.values(dbPaths).map((place) =>
    typeof place === 'string' ? place : (place as (...keys: string[]) => string)('a', 'b', 'c'),
  )
  // The rules list statuses literally, so any status will do.
  const missing = named
    .map((path) => path.replace('stats/status/a', 'stats/status/NEW'))
    .filter((path) => ruleAt(path) === undefined)
  expect(missing).toEqual([])
})

describe('no rule above a privileged field allows clients to write it', () => {
  const privileged = [
    'users/$uid/usertype',
    'users/$uid/approved',
    'users/$uid/walletBalance',
    'users/$uid/walletHistory/$entry',
    'users/$uid/walletMove',
    'users/$uid/queue',
    'users/$uid/ratings',
    'users/$uid/fleetadmin',
    'users/$uid/mobile',
    'bookings/$booking/status',
    'bookings/$booking/trip_cost',
    'stats/total/minor/UYU2/tripCost',
    'currency/hold',
    'currency/ended/$ended',
  ]
  test.each(privileged)('%s', (path) => {
    const keys = path.split('/')
    for (let depth = 0; depth < keys.length; depth++) {
      const above = depth === 0 ? rulesTree : ruleAt(keys.slice(0, depth).join('/'))
      const writes = above?.write ?? "auth.uid === 'server'"
      expect(writes).toContain("auth.uid === 'server'")
    }
  })
})

test('the rules allow exactly the status changes in the transition table', () => {
  const { write = '' } = ruleAt('bookings/$booking/status') ?? {}
  const [, pattern = ''] =
    /\(data\.val\(\) \+ '>' \+ newData\.val\(\)\)\.matches\(\/(.*?)\/\)/.exec(write) ?? []
  for (const from of STATUSES)
    for (const to of STATUSES.filter((status) => status !== from)) {
      const legal = BOOKING_EVENTS.some((event) => isTransitionAllowed(event, from, to))
      expect([from, to, RegExp(pattern).test(`${from}>${to}`)]).toEqual([from, to, legal])
    }
  expect(RegExp(pattern).test('')).toBe(false)
})

test.each<[Status, Status]>([
  ['PAYMENT_PENDING', 'PAID'],
  ['PENDING', 'NEW'],
  ['PENDING', 'REACHED'],
  ['COMPLETE', 'PAID'],
])(
  'finds no event that leads from %s to %s, although one event is possible in both',
  (from, to) => {
    expect(BOOKING_EVENTS.some((event) => isTransitionAllowed(event, from, to))).toBe(false)
  },
)
