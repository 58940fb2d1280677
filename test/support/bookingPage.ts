import type { Page } from 'playwright-core'

/** Waits until a rider's booking page marks a step as the current one. The page lists all steps. */
export const waitForStep = (page: Page, name: string): Promise<void> =>
  page.locator('[aria-current=step]').getByText(name, { exact: true }).waitFor()
