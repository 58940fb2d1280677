import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { BOOKING_EVENTS, listErrors } from './transitions'

const ROOT = join(import.meta.dirname, '..', '..')

/** Returns a module and every module that it imports when it runs. */
const collectImports = (path: string, found = new Set<string>()): Set<string> => {
  if (found.has(path)) return found
  found.add(path)
  const source = readFileSync(join(ROOT, path), 'utf8')
  for (const [, specifier = ''] of source.matchAll(
    /^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gm,
  ))
    collectImports(`${normalize(join(dirname(path), specifier))}.ts`, found)
  return found
}

test('the definitions of events import no effects, which screens would load with them', () => {
  const modules = [...collectImports('domain/booking/transitions.ts')]
  expect(modules.filter((path) => path.endsWith('/definition.ts'))).toHaveLength(
    BOOKING_EVENTS.length,
  )
  expect(modules.filter((path) => /\/run\.ts$|changeDraft/.test(path))).toEqual([])
})

test('every event can be refused for its status', () => {
  for (const event of BOOKING_EVENTS) expect(listErrors([event])).toContain('event_not_possible')
})
