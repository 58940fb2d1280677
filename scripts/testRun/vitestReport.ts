import { relative } from 'node:path'

/** The parts of Vitest's JSON report that the summary uses. Durations are in milliseconds. */
export interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    /** Absolute path of the test file. */
    name: string
    status: 'passed' | 'failed'
    /** Why the file could not be loaded, if it could not. */
    message: string
    assertionResults: {
      fullName: string
      /** The titles of the surrounding blocks. */
      ancestorTitles: string[]
      title: string
      status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo' | 'disabled'
      duration?: number | null
      failureMessages?: string[]
    }[]
  }[]
}

/** A failed test, or a check that failed as a whole. */
export interface Failure {
  name: string
  message: string
  /** Runs it alone. */
  command: string
  /** The folder with screenshots, consoles and traces, if a browser was open. */
  evidence?: string
}
export interface SlowTest {
  name: string
  milliseconds: number
}
export interface TestCounts {
  passed: number
  failures: Failure[]
  slowest: SlowTest[]
}

const MESSAGE_LINES = 12
// The escape character starts the terminal's color codes.
// oxlint-disable-next-line no-control-regex
const COLOR_CODE = /\u001b\[[0-9;]*m/g

/** Returns the first lines of a message without colors and without Vitest's own stack frames. */
export const shortenMessage = (message: string): string =>
  message
    .replace(COLOR_CODE, '')
    .split('\n')
    .filter((line) => !/^\s+at .*node_modules/.test(line))
    .slice(0, MESSAGE_LINES)
    .join('\n')
    .trimEnd()

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Returns the counts of a report, with every failed test and the durations of all tests.
 * `findEvidence` returns the folder that a failed browser test left, if there is one.
 */
export function readVitestReport(
  report: VitestReport,
  root: string,
  findEvidence: (file: string, titles: readonly string[]) => string | undefined = () => undefined,
): TestCounts {
  const failures: Failure[] = []
  const slowest: SlowTest[] = []
  for (const { name, status, message, assertionResults } of report.testResults) {
    const file = relative(root, name)
    for (const one of assertionResults) {
      const titles = [...one.ancestorTitles, one.title]
      const title = titles.join(' › ')
      slowest.push({ name: `${file} › ${title}`, milliseconds: one.duration ?? 0 })
      if (one.status !== 'failed') continue
      const evidence = findEvidence(file, titles)
      failures.push({
        name: `${file} › ${title}`,
        message: shortenMessage(one.failureMessages?.[0] ?? ''),
        command: `npm test -- ${file} -t ${quote(`^${escapePattern(one.fullName.trim())}$`)}`,
        ...(evidence !== undefined && { evidence }),
      })
    }
    if (status === 'failed' && !assertionResults.some((one) => one.status === 'failed'))
      failures.push({
        name: file,
        message: shortenMessage(message) || 'The file failed outside of its tests.',
        command: `npm test -- ${file}`,
      })
  }
  return { passed: report.numPassedTests, failures, slowest }
}
