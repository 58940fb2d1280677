import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Returns everything that axe finds on the page as it looks now, one line each; `rules` limits the
 * check to these rules.
 */
export async function findAccessibilityFaults(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate((only) => {
    // A color in transition is not a final color, so every transition is finished first. Its end
    // can start inherited transitions.
    for (;;) {
      const moving = document.getAnimations().filter((one) => one instanceof CSSTransition)
      if (moving.length === 0) break
      for (const one of moving) one.finish()
    }
    return (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: only }),
    })
  }, rules)
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`,
  )
}
