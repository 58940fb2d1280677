import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Number of running Kerbsides for the tests that need one. Each of them runs the test files of one
 * worker, so that no two files use the same data at the same time. `npm test` sets it.
 */
const suites = Number(process.env.KERBSIDE_TEST_SUITES ?? 1)
const suiteTests = {
  globalSetup: ['test/support/suite.setup.ts'],
  maxWorkers: suites,
  // Projects with different numbers of workers run one after the other.
  sequence: { groupOrder: 1 },
}
const alias = { '~': import.meta.dirname }

/**
 * Starts the load tests first. In a fresh clone, which has no times of an earlier run, Vitest
 * starts the largest files first. The load tests are small files that run long, so one worker would
 * have to wait for the last of them.
 */
class LoadTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLoadTest = ({ moduleId }: TestSpecification) => moduleId.includes('/test/load/')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLoadTest), ...sorted.filter((file) => !isLoadTest(file))]
  }
}

/** `npm test` runs every project; `npm run check` runs only `unit`. */
export default defineConfig({
  resolve: { alias },
  test: {
    // A slow machine needs more than the default timeout of one second.
    expect: { poll: { timeout: 60_000 } },
    // Tests of pages wait for a third of their time, which one more worker than cores uses.
    maxWorkers: availableParallelism() + 1,
    // Whole values in messages: a summary shows only the first lines, without the diff.
    chaiConfig: { truncateThreshold: 0 },
    sequence: { sequencer: LoadTestsFirst },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // With `isolate: false` the files of a worker share its modules, which saves up to half of the
    // processor time. Those tests leave nothing changed in modules, globals or the environment.
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: ['{domain,functions,emulator,rules,seed,scripts,lab}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'functions/lib/**', 'emulator/test/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'web',
          environment: 'jsdom',
          // src/testing/web.setup.ts cleans up after each test.
          isolate: false,
          setupFiles: ['src/testing/web.setup.ts'],
          include: ['src/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          isolate: false,
          include: ['test/rules/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: [
            'emulator/test/**/*.test.ts',
            'test/{conformance,deploy,migrations}/**/*.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'functions',
          isolate: false,
          include: ['test/{functions,load,attack}/**/*.test.ts'],
          ...suiteTests,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          isolate: false,
          include: ['test/e2e/**/*.test.ts'],
          setupFiles: ['test/support/e2e.setup.ts'],
          ...suiteTests,
        },
      },
      {
        extends: true,
        test: {
          name: 'engines',
          include: ['test/engines/**/*.test.ts'],
          ...suiteTests,
        },
      },
    ],
  },
})
