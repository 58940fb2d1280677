import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { BOOKING_EVENTS, TRANSITIONS } from '~/domain/booking/transitions'
import { STATUSES } from '~/domain/entities'
import { at } from '~/domain/paths'
import { rulesFile, rulesText } from './build'
import type { Rule } from './language'
import { tree } from './tree'

interface Place {
  path: string
  rule: Rule
}
const places = (rule: Rule, path = ''): Place[] => [
  { path, rule },
  ...Object.entries(rule.children ?? {}).flatMap(([key, child]) => places(child, `${path}/${key}`)),
]
const all = places(tree)
const ruleAt = (path: string): Rule | undefined =>
  path.split('/').reduce<Rule | undefined>((rule, key) => {
    const children = rule?.children ?? {}
    const captured = Object.keys(children).find((name) => name.startsWith('$') && name !== '$other')
    return children[key] ?? (captured === undefined ? undefined : children[captured])
  }, tree)

test('database.rules.json is what its source says; if this fails, run `npm run rules`', () => {
  expect(readFileSync(rulesFile, 'utf8')).toBe(rulesText())
})

test('the root is never written and read by functions only', () => {
  expect(tree.write).toBeUndefined()
  expect(tree.read).toBe("auth.uid === 'kerbside-server'")
})

test('wherever names are spelled out, every other name is refused', () => {
  const open = all.filter(({ rule }) => {
    const names = Object.keys(rule.children ?? {})
    const spelled = names.some((name) => !name.startsWith('$'))
    return spelled && rule.children?.['$other']?.validate !== 'false'
  })
  expect(open.map(({ path }) => path)).toEqual([])
})

test('a captured key has one name on its way down', () => {
  const twice = all.filter(({ path }) => {
    const captured = path.split('/').filter((key) => key.startsWith('$') && key !== '$other')
    return new Set(captured).size < captured.length
  })
  expect(twice.map(({ path }) => path)).toEqual([])
})

test('every place the domain names has its rules', () => {
  const named = Object.values(at).map((place) =>
    typeof place === 'string' ? place : (place as (...keys: string[]) => string)('a', 'b', 'c'),
  )
  // A status is spelled out in the rules; any of them will do.
  const missing = named
    .map((path) => path.replace('stats/status/a', 'stats/status/NEW'))
    .filter((path) => ruleAt(path) === undefined)
  expect(missing).toEqual([])
})

describe('nothing above a privileged field lets it be written', () => {
  const privileged = [
    'users/$uid/usertype',
    'users/$uid/approved',
    'users/$uid/walletBalance',
    'users/$uid/walletHistory/$entry',
    'users/$uid/queue',
    'users/$uid/ratings',
    'users/$uid/fleetadmin',
    'users/$uid/mobile',
    'bookings/$booking/status',
    'bookings/$booking/trip_cost',
    'stats/total/tripCost',
  ]
  test.each(privileged)('%s', (path) => {
    const keys = path.split('/')
    for (let depth = 0; depth < keys.length; depth++) {
      const above = depth === 0 ? tree : ruleAt(keys.slice(0, depth).join('/'))
      const writes = above?.write ?? "auth.uid === 'kerbside-server'"
      expect(writes).toContain("auth.uid === 'kerbside-server'")
    }
  })
})

test('the statuses a booking may pass through are those of the table', () => {
  const { write = '' } = ruleAt('bookings/$booking/status') ?? {}
  for (const from of STATUSES)
    for (const to of STATUSES.filter((status) => status !== from)) {
      const legal = BOOKING_EVENTS.some((event) => {
        const transition = TRANSITIONS[event]
        return (
          (transition.from as readonly string[]).includes(from) &&
          (transition.to as readonly string[]).includes(to)
        )
      })
      const [start = ''] = write.split(`(data.val() === '${from}' && `).slice(1)
      const ends = start.indexOf("(data.val() === '")
      const follows = ends < 0 ? start : start.slice(0, ends)
      expect([from, to, follows.includes(`newData.val() === '${to}'`)]).toEqual([from, to, legal])
    }
})
