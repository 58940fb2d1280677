import axe from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * Rules whose results can differ between two looks of one page. A page is checked once with every
 * rule. In the dark scheme only its colors differ, and in a right-to-left language only its
 * language, its direction and its layout.
 */
const RULES_BY_LOOK = {
  light: undefined,
  dark: ['color-contrast'],
  rightToLeft: ['html-has-lang', 'html-lang-valid', 'valid-lang'],
} as const
export type PageLook = keyof typeof RULES_BY_LOOK

/** Returns how many pixels the page is wider than the screen; 0 when it fits. */
export const measureOverflow = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(
      0,
      document.documentElement.scrollWidth - document.documentElement.clientWidth,
      document.documentElement.scrollWidth - window.innerWidth,
    ),
  )

/**
 * Returns everything that axe finds on the page as it looks now, one line each. Other looks than
 * `light` limit the check to the rules whose results can differ. `within` is a selector that limits
 * it to a part of the page, such as a dialog over a page that has its own check.
 */
export async function findAccessibilityFaults(
  page: Page,
  look: PageLook = 'light',
  within = 'html',
): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    async ([only, selector]) => {
      // A color in transition is not a final color, so every transition is finished first. Its end
      // can start inherited transitions.
      for (;;) {
        const moving = document.getAnimations().filter((one) => one instanceof CSSTransition)
        if (moving.length === 0) break
        for (const one of moving) one.finish()
      }
      return (window as unknown as { axe: typeof axe }).axe.run(selector, {
        resultTypes: ['violations'],
        ...(only && { runOnly: [...only] }),
      })
    },
    [RULES_BY_LOOK[look], within] as const,
  )
  return violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`,
  )
}
