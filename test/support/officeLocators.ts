import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Polls with a timeout of two minutes, which suits a busy machine. */
export const pollUntil = <Value>(read: () => Value) => expect.poll(read, { timeout: 120_000 })
export const waitUntilGone = (what: Locator) => what.waitFor({ state: 'detached' })

/**
 * Returns functions that locate the elements of an office page by name; they call `page` each time,
 * because a test opens the page late.
 */
export const createLocators = (page: () => Page) => ({
  button: (name: string | RegExp, within: Page | Locator = page()) =>
    within.getByRole('button', { name, exact: true }),
  panel: (name: string | RegExp) => page().getByRole('dialog', { name, exact: true }),
  row: (text: string) => page().getByRole('row').filter({ hasText: text }),
})
