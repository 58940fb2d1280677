import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  parseArguments,
  planSteps,
  TESTS_BY_CHANGED_PATH,
  type TestFile,
  type TestRequest,
} from './selection'
import { TEST_STEPS } from './steps'

const FILES: TestFile[] = [
  { file: 'domain/money/money.test.ts', project: 'unit' },
  { file: 'src/app/booking.test.tsx', project: 'web' },
  { file: 'test/rules/readCases.test.ts', project: 'rules' },
  { file: 'test/functions/payments.test.ts', project: 'functions' },
  { file: 'test/e2e/riderSite.test.ts', project: 'e2e' },
  { file: 'test/e2e/payments.test.ts', project: 'e2e' },
  { file: 'test/e2e/office.test.ts', project: 'e2e' },
]
const plan = (request: Partial<TestRequest>, changed: string[] = []) =>
  planSteps(
    TEST_STEPS,
    { names: [], changed: false, endurance: false, ...request },
    {
      listTestFiles: () => FILES,
      listChangedFiles: () => changed,
      listLongTests: () => ['domain/money/money.test.ts'],
    },
  ).map(({ step, projects, args }) => ({ name: step.name, projects, args }))
const planNames = (...parameters: Parameters<typeof plan>) =>
  plan(...parameters).map(({ name }) => name)

describe('the arguments of npm test', () => {
  test('are paths and steps, the name of a test, or --changed', () => {
    expect(parseArguments(['./test/rules', 'lint', '-t', 'a rider books'])).toEqual({
      names: ['test/rules', 'lint'],
      pattern: 'a rider books',
      changed: false,
      endurance: false,
    })
    expect(parseArguments(['--changed'])).toEqual({ names: [], changed: true, endurance: false })
  })

  test.each([
    [['--fast'], 'Unknown option --fast'],
    [['-t'], '-t needs the name of a test'],
    [['--changed', 'rules'], 'Leave out the paths and steps'],
    [['--endurance', 'rules'], 'Leave out everything else'],
  ])('%j are refused', (args, message) => {
    expect(() => parseArguments(args)).toThrow(message)
  })
})

describe('a run', () => {
  test('has every step when nothing is named', () => {
    const usual = TEST_STEPS.filter(({ isOnlyLong }) => !isOnlyLong)
    expect(planNames({})).toEqual(usual.map(({ name }) => name))
    expect(planNames({})).not.toContain('other browsers')
    expect(planNames({ names: ['other browsers'] })).toEqual(['build', 'other browsers'])
  })

  test('of a named step has this step only', () => {
    expect(planNames({ names: ['rules'] })).toEqual(['rules'])
  })

  test('of a path has the files that match, and the steps that they need', () => {
    expect(plan({ names: ['e2e/rider'] })).toEqual([
      { name: 'build', projects: [], args: [] },
      {
        name: 'functions and end to end',
        projects: ['e2e'],
        args: ['test/e2e/riderSite.test.ts'],
      },
    ])
  })

  test('of a path in several projects has all of them', () => {
    const [, step] = plan({ names: ['payments'] })
    expect(step?.projects).toEqual(['functions', 'e2e'])
  })

  test('of a project has the whole project', () => {
    expect(plan({ names: ['web'] })).toEqual([
      { name: 'unit and web', projects: ['web'], args: [] },
    ])
  })

  test('with the name of a test passes it to Vitest', () => {
    const [step] = plan({ names: ['domain/money'], pattern: 'rounds' })
    expect(step?.args).toEqual(['domain/money/money.test.ts', '-t', 'rounds'])
  })

  test('of the long tests has these files only', () => {
    expect(plan({ endurance: true })).toEqual([
      { name: 'unit and web', projects: ['unit'], args: ['domain/money/money.test.ts'] },
    ])
  })

  test('of an unknown name is refused with the names of the steps', () => {
    expect(() => plan({ names: ['ruels'] })).toThrow(/"ruels" is neither a step .* lint, types/)
  })
})

describe('a run of the changes', () => {
  test('names only tests that exist', () => {
    const root = join(import.meta.dirname, '../..')
    const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    for (const start of TESTS_BY_CHANGED_PATH.flatMap(([, starts]) => starts))
      expect(
        tests.some((file) => `test/${file}`.startsWith(start) && file.endsWith('.test.ts')),
        start,
      ).toBe(true)
  })

  test('is empty without a change', () => {
    expect(planNames({ changed: true })).toEqual([])
  })

  test('of a document checks layout and wording, but no types', () => {
    const names = planNames({ changed: true }, ['docs/maps.md'])
    expect(names).toContain('wording')
    expect(names).not.toContain('types')
    expect(names).not.toContain('functions and end to end')
  })

  const planBrowserTests = (changed: string) =>
    plan({ changed: true }, [changed]).find(({ name }) => name === 'functions and end to end')

  test('of an office page has the browser tests of the office', () => {
    expect(planBrowserTests('src/office/bookings/BookingsPage.tsx')).toMatchObject({
      projects: ['e2e'],
      args: ['test/e2e/office.test.ts'],
    })
  })

  test('of a browser test has this test', () => {
    const file = 'test/e2e/riderSite.test.ts'
    expect(planBrowserTests(file)?.args).toEqual([file])
  })
})
