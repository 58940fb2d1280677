import { defineConfig } from 'vitest/config'

const alias = { '~': import.meta.dirname }

/** `npm test` runs every project; `npm run check` only `unit`. */
export default defineConfig({
  resolve: { alias },
  test: {
    // What is waited for comes when it comes; the usual second is a bound on how slow a machine may be.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{domain,functions,emulator,rules,seed,scripts}/**/*.test.ts'],
          exclude: ['**/node_modules/**', 'functions/lib/**'],
        },
      },
      {
        extends: true,
        test: { name: 'web', environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
      },
      {
        extends: true,
        test: { name: 'rules', include: ['test/rules/**/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'functions',
          include: ['test/{functions,load,attack}/**/*.test.ts'],
          globalSetup: ['test/support/suite.setup.ts'],
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/suite.setup.ts'],
          fileParallelism: false,
        },
      },
    ],
  },
})
