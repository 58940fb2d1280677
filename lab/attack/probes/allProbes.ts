import { addressProbes } from './addressProbes'
import { deletionProbes } from './deletionProbes'
import { demoModeProbes } from './demoModeProbes'
import { farmingProbes } from './farmingProbes'
import { identityProbes } from './identityProbes'
import { messageProbes } from './messageProbes'
import { moneyProbes } from './moneyProbes'
import { ownershipProbes } from './ownershipProbes'
import type { Probe } from './probe'
import { publicReadProbes } from './publicReadProbes'
import { rateLimitProbes } from './rateLimitProbes'
import { readAccessProbes } from './readAccessProbes'
import { repeatedFieldProbes } from './repeatedFieldProbes'
import { originProbes, requestLineProbes } from './requestLineProbes'
import { sessionProbes } from './sessionProbes'
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
  ...farmingProbes,
  ...sessionProbes,
  ...demoModeProbes,
  ...repeatedFieldProbes,
  ...publicReadProbes,
  ...addressProbes,
  ...messageProbes,
  ...originProbes,
  ...requestLineProbes,
]
