import type { Page } from 'playwright-core'

/** Returns the words that lie beyond the page's edge, where scrolling cannot reach them. */
const findOverflowingWords = (page: Page) =>
  page.evaluate(() => {
    const scrolls = (at: Element | null): boolean =>
      at !== null &&
      (at.matches('.leaflet-container, .visually-hidden, a[href="#content"]') ||
        ['auto', 'scroll'].includes(getComputedStyle(at).overflowX) ||
        scrolls(at.parentElement))
    const range = document.createRange()
    const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (words.nextNode()) {
      const word = words.currentNode
      const isHidden = word.parentElement?.checkVisibility({ visibilityProperty: true }) === false
      if (!word.textContent?.trim() || isHidden || scrolls(word.parentElement)) continue
      range.selectNodeContents(word)
      const { left, right, width } = range.getBoundingClientRect()
      if (width > 0 && (left < -1 || right > innerWidth + 1)) found.push(word.textContent)
    }
    const { scrollWidth } = document.documentElement
    return scrollWidth > innerWidth ? [...found, `the page is ${scrollWidth} wide`] : found
  })

/**
 * Returns what does not fit the narrowest phone at double text size (WCAG 1.4.4), and then restores
 * the page.
 */
export const findLargeTextFaults = async (page: Page): Promise<string[]> => {
  const before = page.viewportSize()
  const grow = (size: string) =>
    page.evaluate(async (fontSize) => {
      document.documentElement.style.fontSize = fontSize
      // Lists that measure themselves render again after the next frame.
      for (let frame = 0; frame < 3; frame++)
        await new Promise((resolve) => requestAnimationFrame(resolve))
    }, size)
  await page.setViewportSize({ width: 360, height: 740 })
  await grow('200%')
  const found = await findOverflowingWords(page)
  await grow('')
  if (before) await page.setViewportSize(before)
  return found
}
