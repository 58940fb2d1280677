import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

const STEP_MS = 1000
/** As long as the other waits of the driver tests: each step also takes real time. */
const TIMEOUT_MS = 150_000

/**
 * Waits for a condition on a page with a fake clock (`page.clock.install`), whose time passes in
 * steps of a second meanwhile. A test that waits for the app's own pauses and limits, for example
 * between two attempts, waits only for what the page does after them.
 */
export const passTimeUntil = async (page: Page, isDone: () => Promise<boolean>): Promise<void> => {
  const step = async () => {
    await page.clock.runFor(STEP_MS)
    return isDone()
  }
  await expect.poll(step, { timeout: TIMEOUT_MS }).toBe(true)
}

/** Waits as `passTimeUntil` for an element to be visible. */
export const passTimeUntilVisible = (page: Page, what: Locator): Promise<void> =>
  passTimeUntil(page, () => what.isVisible())

/** Waits as `passTimeUntil` for an element to be hidden. */
export const passTimeUntilHidden = (page: Page, what: Locator): Promise<void> =>
  passTimeUntil(page, () => what.isHidden())
