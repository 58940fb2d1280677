import type { Page } from 'playwright-core'

/**
 * Waits for the second next frame of a page: the first draws the changes of its scripts, and the
 * second those of its observers of sizes.
 */
export const waitForTwoFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  )

/**
 * Records what moves on a page without input, from its next visit on. Returns a function that reads
 * the record, one line per shift.
 */
export const recordShifts = async (page: Page) => {
  await page.addInitScript(() => {
    const shifts: string[] = []
    const add = (entries: PerformanceEntryList) => {
      for (const { value, hadRecentInput, sources } of entries as (PerformanceEntry & {
        value: number
        hadRecentInput: boolean
        sources: { node?: Node; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
      })[]) {
        const names = sources.map(({ node, previousRect: from, currentRect: to }) =>
          [
            node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName,
            `${from.x} ${from.y} ${from.height} → ${to.x} ${to.y} ${to.height}`,
          ].join(' '),
        )
        if (!hadRecentInput) shifts.push(`${value}: ${names.join('; ')}`)
      }
    }
    const observer = new PerformanceObserver((list) => add(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, {
      readShifts: () => {
        add(observer.takeRecords())
        return shifts
      },
    })
  })
  return () =>
    page.evaluate(() => (window as unknown as { readShifts: () => string[] }).readShifts())
}
