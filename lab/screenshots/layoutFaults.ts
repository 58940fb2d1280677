/**
 * Returns the visible faults of the page in its current state, one sentence each. Runs inside the
 * page, so it must not use anything outside this function.
 */
export const findLayoutFaults = (): string[] => {
  const SLACK = 2
  const root = document.documentElement
  const width = root.clientWidth
  const faults = new Set<string>()
  const getName = (element: Element): string => {
    const own = (element.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
    const kind = [...element.classList][0]
    return `<${element.localName}${kind ? `.${kind}` : ''}> “${own}”`
  }

  const isForReadersOnly = (element: Element): boolean => {
    for (let box: Element | null = element; box && box !== root; box = box.parentElement)
      if (getComputedStyle(box).clipPath.startsWith('inset(50%')) return true
    return false
  }

  if (root.scrollWidth > width + 1) {
    let widest: Element = root
    let reach = 0
    for (const element of document.body.querySelectorAll('*')) {
      const { left, right } = element.getBoundingClientRect()
      const out = Math.max(right - width, -left)
      if (out > reach) [widest, reach] = [element, out]
    }
    faults.add(`The page is ${root.scrollWidth - width} px too wide: ${getName(widest)}`)
  }

  const dialogs = document.querySelectorAll('dialog[open]')
  const scope = dialogs.item(dialogs.length - 1) ?? document.body
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const owner = text.parentElement
    if (!owner || !text.textContent?.trim()) continue
    if (owner.closest('script, style, option, svg, .visually-hidden, [class*="leaflet"]')) continue
    if (isForReadersOnly(owner)) continue
    if (!owner.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    range.selectNodeContents(text)
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1)
    if (rects.length === 0) continue
    const left = Math.min(...rects.map((rect) => rect.left))
    const right = Math.max(...rects.map((rect) => rect.right))
    const top = Math.min(...rects.map((rect) => rect.top))
    const bottom = Math.max(...rects.map((rect) => rect.bottom))
    let isFree = false
    for (let box: Element | null = owner; box && box !== root; box = box.parentElement) {
      const style = getComputedStyle(box)
      const clips = style.overflowX !== 'visible' || style.overflowY !== 'visible'
      const area = box.getBoundingClientRect()
      if (/^(button|a|label|th|td|summary)$/.test(box.localName) && style.display !== 'inline') {
        const spills = left < area.left - SLACK || right > area.right + SLACK
        if (spills && !clips) faults.add(`Text runs out of its box: ${getName(box)}`)
      }
      if (clips) {
        const scrollsX = /auto|scroll/.test(style.overflowX)
        const scrollsY = /auto|scroll/.test(style.overflowY)
        if (scrollsX || scrollsY) {
          isFree = true
          // A box that scrolls only vertically should not need horizontal scrolling.
          const hidden = box.scrollWidth - box.clientWidth
          if (!scrollsX && hidden > SLACK) faults.add(`Text is cut off: ${getName(owner)}`)
          break
        }
        const cutX = left < area.left - SLACK || right > area.right + SLACK
        const cutY = top < area.top - 4 || bottom > area.bottom + 4
        // A row opens a page with the full text of its cells.
        const isSaid = owner.closest('[title], [aria-label], td') !== null
        const isMeant = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
        if (cutX || cutY) {
          if (!(isMeant && isSaid)) faults.add(`Text is cut off: ${getName(owner)}`)
          isFree = true
          break
        }
      }
      if (style.position === 'fixed') break
    }
    if (!isFree && (left < -SLACK || right > width + SLACK))
      faults.add(`Text is outside the page: ${getName(owner)}`)
  }
  for (const picture of document.images)
    if (picture.complete && picture.naturalWidth === 0 && picture.checkVisibility())
      faults.add(`A picture is missing: ${picture.src}`)
  return [...faults]
}

/** Returns true when the page has stopped loading. Also runs inside the page. */
export const isSettled = (): boolean => {
  const page = window as unknown as { picturesSeen?: string; picturesSame?: number }
  const isBusy =
    document.fonts.status !== 'loaded' ||
    !document.querySelector('main, h1') ||
    document.querySelector('[class*="skeleton"], [class*="spinner"], main [aria-busy="true"]') ||
    document.querySelector('.leaflet-tile:not(.leaflet-tile-loaded)') ||
    [...document.images].some((image) => !image.complete && image.loading !== 'lazy')
  const contentState = isBusy
    ? undefined
    : `${document.body.innerHTML.length} ${document.body.scrollHeight}`
  page.picturesSame =
    contentState !== undefined && contentState === page.picturesSeen
      ? (page.picturesSame ?? 0) + 1
      : 0
  page.picturesSeen = contentState ?? ''
  return page.picturesSame >= 3
}
