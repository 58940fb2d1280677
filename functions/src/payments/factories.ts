import type { MakeAdapter, ProviderId } from './adapter'
import { test } from './providers/test'

/** Every provider, in the order in which they are offered. */
export const FACTORIES: Partial<Record<ProviderId, MakeAdapter>> = { test }
