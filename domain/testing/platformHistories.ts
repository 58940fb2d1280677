import * as fc from 'fast-check'
import { createRandomPlatform } from './randomPlatform'
import { createSeededRandom } from '../data/seededRandom'
import type { Settings } from '../catalog/types'

// A smaller seed is not a simpler platform or step.
const seeds = fc.noShrink(fc.integer())

/** The seeds of a platform and of each step that its users take. */
export interface PlatformHistory {
  platform: number
  steps: number[]
}

/**
 * Generates histories of a platform, with half of `maxSteps` steps on average. Each step has its
 * own seed, so that a failing history shrinks by dropping steps while the others stay the same.
 */
export const platformHistories = (maxSteps: number): fc.Arbitrary<PlatformHistory> =>
  fc.record({
    platform: seeds,
    // The default bias prefers short histories, which finish no booking. A list shrinks from its
    // front, and the last steps of a history are the ones that cannot matter.
    steps: fc
      .noBias(fc.array(seeds, { maxLength: maxSteps, size: 'max' }))
      .map((steps) => steps.toReversed()),
  })

/**
 * Creates the platform of a history, with `fixed` settings. Each iteration over `steps` performs
 * one step.
 */
export const replayHistory = (
  { platform, steps }: PlatformHistory,
  fixed: Partial<Settings> = {},
) => {
  const { tree, step } = createRandomPlatform(createSeededRandom(platform), fixed)
  return {
    tree,
    *steps() {
      for (const seed of steps) yield step(createSeededRandom(seed))
    },
  }
}
