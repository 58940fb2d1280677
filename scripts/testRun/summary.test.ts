import { expect, test } from 'vitest'
import { getEvidenceFolder } from './evidence'
import { formatSummary, type StepResult } from './summary'
import { readVitestReport, type VitestReport } from './vitestReport'

const step = (about: Partial<StepResult>): StepResult => ({
  name: 'rules',
  outcome: 'passed',
  seconds: 12.4,
  budgetSeconds: 60,
  passed: 0,
  failures: [],
  slowest: [],
  ...about,
})

const REPORT: VitestReport = {
  numPassedTests: 1,
  numFailedTests: 1,
  testResults: [
    {
      name: '/kerbside/domain/money/money.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        {
          fullName: 'an amount rounds',
          ancestorTitles: ['an amount'],
          title: 'rounds',
          status: 'passed',
          duration: 1500,
        },
        {
          fullName: ' an amount (negative) isn’t -0',
          ancestorTitles: ['an amount (negative)'],
          title: 'isn’t -0',
          status: 'failed',
          duration: 2,
          failureMessages: [
            '\u001b[31mexpected -0 to be 0\u001b[39m\n    at /kerbside/domain/money/money.test.ts:3:1\n    at /kerbside/node_modules/vitest/dist/index.js:1:1',
          ],
        },
      ],
    },
    {
      name: '/kerbside/domain/broken.test.ts',
      status: 'failed',
      message: 'Cannot find module "./gone"',
      assertionResults: [],
    },
  ],
}

test('a report has each failed test with its message and the command that runs it alone', () => {
  const { passed, failures } = readVitestReport(REPORT, '/kerbside')
  expect(passed).toBe(1)
  expect(failures).toEqual([
    {
      name: 'domain/money/money.test.ts › an amount (negative) › isn’t -0',
      message: 'expected -0 to be 0\n    at /kerbside/domain/money/money.test.ts:3:1',
      command: "npm test -- domain/money/money.test.ts -t '^an amount \\(negative\\) isn’t -0$'",
    },
    {
      name: 'domain/broken.test.ts',
      message: 'Cannot find module "./gone"',
      command: 'npm test -- domain/broken.test.ts',
    },
  ])
})

test('a summary says where the evidence of a failed browser test is', () => {
  const { failures } = readVitestReport(REPORT, '/kerbside', (file, titles) =>
    file === 'domain/money/money.test.ts' ? getEvidenceFolder(file, titles) : undefined,
  )
  expect(formatSummary([step({ outcome: 'failed', failures })], 1)).toContain(
    'Screenshots, elements, console and trace: failures/money/an-amount-negative-isn-t-0\n',
  )
})

test('a summary ends with the counts of all steps', () => {
  const { passed, failures, slowest } = readVitestReport(REPORT, '/kerbside')
  const text = formatSummary(
    [
      step({
        name: 'lint',
        outcome: 'failed',
        failures: [{ name: 'lint', message: 'no-console', command: 'npm test -- lint' }],
      }),
      step({ name: 'unit and web', outcome: 'failed', passed, failures, slowest }),
      step({ name: 'build', passed: 1 }),
    ],
    100,
  )
  expect(text.split('\n').at(-1)).toBe('2 passed, 3 failed')
  expect(text).toContain('1. lint\n   no-console\n   Run it alone: npm test -- lint')
  expect(text).toContain('1.5 s  domain/money/money.test.ts › an amount › rounds')
})

test('a summary names a step that took longer than its budget, and a skipped one', () => {
  const text = formatSummary(
    [
      step({ name: 'rules', seconds: 61, passed: 3 }),
      step({ name: 'end to end', outcome: 'skipped', seconds: 0, missing: ['build'] }),
    ],
    61,
  )
  expect(text).toMatch(/61 s +rules +passed, over its budget of 60 s/)
  expect(text).toMatch(/0 s +end to end +skipped, because it needs: build/)
  // A run that skipped a step has not passed.
  expect(text.split('\n').at(-1)).toBe('3 passed, 1 failed')
})
