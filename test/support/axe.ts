import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Everything axe finds on a page as it looks now, a line each; `rules` looks for these only. */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate((only) => {
    // A colour on its way to another one is no colour of ours; what inherits it sets off when it has arrived.
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
