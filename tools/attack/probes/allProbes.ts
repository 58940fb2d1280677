import { deletionProbes } from './deletionProbes'
import { identityProbes } from './identityProbes'
import { moneyProbes } from './moneyProbes'
import { ownershipProbes } from './ownershipProbes'
import type { Probe } from './probe'
import { rateLimitProbes } from './rateLimitProbes'
import { readAccessProbes } from './readAccessProbes'
import { originProbes, requestLineProbes } from './requestLineProbes'
import { storedFileProbes } from './storedFileProbes'
import { wordProbes } from './wordProbes'

/** Every probe, grouped by family. */
export const ALL_PROBES: readonly Probe[] = [
  ...identityProbes,
  ...readAccessProbes,
  ...rateLimitProbes,
  ...storedFileProbes,
  ...wordProbes,
  ...moneyProbes,
  ...deletionProbes,
  ...ownershipProbes,
  ...originProbes,
  ...requestLineProbes,
]
