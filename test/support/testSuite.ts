import { inject } from 'vitest'
import type { Suite } from '~/scripts/local/suite'

/** The addresses of one running Kerbside, which the setup passes to the tests. */
export type TestSuite = Pick<Suite, 'urls' | 'ports' | 'webConfig'>

declare module 'vitest' {
  interface ProvidedContext {
    suites: TestSuite[]
  }
}

/** Returns the Kerbside of this worker. No other test file uses it at the same time. */
export const getSuite = (): TestSuite => {
  const number = Number(process.env.VITEST_POOL_ID)
  const suite = inject('suites')[number - 1]
  if (!suite) throw new Error(`Worker ${number} has no suite. Start one suite per worker.`)
  return suite
}
