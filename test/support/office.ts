import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** However long a busy machine takes. */
export const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 120_000 })
export const gone = (what: Locator) => what.waitFor({ state: 'detached' })

/** What an office page is made of, by name; `page` is asked each time, as a test opens it late. */
export const partsOf = (page: () => Page) => ({
  button: (name: string | RegExp, within: Page | Locator = page()) =>
    within.getByRole('button', { name, exact: true }),
  panel: (name: string | RegExp) => page().getByRole('dialog', { name, exact: true }),
  row: (text: string) => page().getByRole('row').filter({ hasText: text }),
})
