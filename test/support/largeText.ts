import type { Page } from 'playwright-core'

/** The words that lie beyond the page's side, where nothing scrolls to them. */
const beyond = (page: Page) =>
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
      if (!word.textContent?.trim() || scrolls(word.parentElement)) continue
      range.selectNodeContents(word)
      const { left, right, width } = range.getBoundingClientRect()
      if (width > 0 && (left < -1 || right > innerWidth + 1)) found.push(word.textContent)
    }
    const { scrollWidth } = document.documentElement
    return scrollWidth > innerWidth ? [...found, `the page is ${scrollWidth} wide`] : found
  })

/** What does not fit the narrowest phone when its text is twice as large (WCAG 1.4.4); the page is then as it was. */
export const inLargeText = async (page: Page): Promise<string[]> => {
  const before = page.viewportSize()
  const grow = (size: string) =>
    page.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize
    }, size)
  await page.setViewportSize({ width: 360, height: 740 })
  await grow('200%')
  const found = await beyond(page)
  await grow('')
  if (before) await page.setViewportSize(before)
  return found
}
