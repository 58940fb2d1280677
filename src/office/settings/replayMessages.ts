import type { PolicyComparison } from '~/domain/replay/comparison'

/** A message of the worker that compares dispatch modes. */
export type ReplayMessage =
  | { type: 'progress'; share: number }
  | { type: 'done'; comparison: PolicyComparison[] }
  | { type: 'failed' }
