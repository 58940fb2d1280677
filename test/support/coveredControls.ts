import type { Locator, Page } from 'playwright-core'

/** Returns the controls that something else covers at their middle or at a corner, by name. */
const listCovered = (elements: (HTMLElement | SVGElement)[], isScrolling: boolean): string[] =>
  elements.flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return []
    const isInput = element instanceof HTMLInputElement
    // An input that is transparent or clipped stands for another element, such as a switch.
    if (isInput && (!element.checkVisibility({ opacityProperty: true }) || element.offsetWidth < 2))
      return []
    // A bar that sticks to an edge needs several scrolls to get to its own place.
    for (let isMoving = isScrolling; isMoving;) {
      const before = [scrollY, element.getBoundingClientRect().top]
      element.scrollIntoView({ block: 'center', inline: 'center' })
      isMoving = scrollY !== before[0] || element.getBoundingClientRect().top !== before[1]
    }
    // A link that wraps has one box for each of its lines, and none between the lines.
    const boxes = [...element.getClientRects()].sort(
      (a, b) => b.width * b.height - a.width * a.height,
    )
    const { left, right, top, bottom } = boxes[0] ?? element.getBoundingClientRect()
    const [x, y] = [(left + right) / 2, (top + bottom) / 2]
    // Rounded corners belong to what is behind the control.
    const inset = Math.min(10, (right - left) / 4, (bottom - top) / 4)
    const points = [
      [x, y],
      [x, top + inset],
      [x, bottom - inset],
      [left + inset, y],
      [right - inset, y],
    ] as const
    const covers = points.flatMap((point) => {
      const top = document.elementFromPoint(...point)
      // The icons and buttons of a field lie on its input.
      const owner = isInput ? element.parentElement : element
      const isOwn = top !== null && (owner?.contains(top) || top.closest('label') === element)
      return isOwn ? [] : [top]
    })
    const label = isInput ? element.labels?.[0] : element
    const name = element.getAttribute('aria-label') ?? label?.textContent
    return covers.length > 0 ? [`${name?.trim()}: ${covers[0]?.className ?? 'off the screen'}`] : []
  })

/** Returns which of the controls are not in full view on the screen as it is, with their cover. */
export const findCovered = (controls: Locator): Promise<string[]> =>
  controls.evaluateAll(listCovered, false)

/**
 * The controls that a page can cover. Links to a place on the page show themselves to the keyboard
 * alone, and the label of a check box or a radio button is what people press.
 */
const CONTROLS = [
  'a:not([href^="#"])',
  ...['button', 'summary', 'select', 'textarea', 'label:has(input)'],
  'input:not([type=hidden], [type=file], label *)',
].join(', ')

/** Returns which controls of the page stay covered when scrolled to, outside of maps. */
export const findCoveredAfterScrolling = (page: Page): Promise<string[]> =>
  page
    .locator(`:is(${CONTROLS})`)
    .and(page.locator(':not(.leaflet-container *)'))
    .evaluateAll(listCovered, true)

/** Returns the texts for screen readers that lengthen the page below all that is visible. */
export const findStrayHiddenTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const end = document.body.getBoundingClientRect().bottom
    // A frame cuts off the texts that are positioned in it or in something inside it.
    const isInFrame = (ancestor: Element | null): boolean =>
      ancestor !== null &&
      ancestor !== document.body &&
      (getComputedStyle(ancestor).overflowY !== 'visible' || isInFrame(ancestor.parentElement))
    return [...document.body.querySelectorAll<HTMLElement>('*')].flatMap((element) => {
      const { width, height, bottom } = element.getBoundingClientRect()
      const isHidden = width <= 1 && height <= 1 && element.textContent !== ''
      const isStray = isHidden && bottom > end + 1 && !isInFrame(element.offsetParent)
      return isStray ? [`${element.textContent?.trim()}: below the page`] : []
    })
  })
