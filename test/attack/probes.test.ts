import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ALL_PROBES } from '~/lab/attack/probes/allProbes'
import { PROBE_FAMILIES } from '~/lab/attack/probes/probe'
import { openProbeContext, type ProbeContext } from '~/lab/attack/probes/probeContext'
import { getSuite } from '../support/testSuite'

let context: ProbeContext
beforeAll(() => {
  context = openProbeContext({ urls: getSuite().urls, ports: getSuite().ports })
})
afterAll(() => context.removeAccounts())

describe.each(PROBE_FAMILIES)('%s', (family) => {
  for (const { title, run } of ALL_PROBES.filter((probe) => probe.family === family))
    it(title, async () => {
      expect(await run(context)).toBeUndefined()
    })
})
