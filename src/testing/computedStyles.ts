/** Attributes, besides the name of an element, by which style sheets select. */
const SELECTING_ATTRIBUTES = ['class', 'style', 'hidden', 'open', 'type', 'dir']
/** Properties that an element takes over from its parent, and that queries or the app ask for. */
const INHERITED_PROPERTIES = ['visibility', 'pointer-events', 'direction']

/**
 * Returns `getComputedStyle` with a cache. jsdom matches each rule of its style sheet with an
 * element whenever the document has changed, which took a fifth of the processor time of the web
 * tests. Elements with the same name, the same selecting attributes and the same inherited values
 * share a result. The cache knows no selectors that depend on siblings or ancestors.
 */
export const cacheComputedStyles = (
  compute: typeof getComputedStyle,
): ((element: Element) => CSSStyleDeclaration) => {
  const styles = new Map<string, CSSStyleDeclaration>()
  const getStyle = (element: Element): CSSStyleDeclaration => {
    const parent = element.parentElement && getStyle(element.parentElement)
    const key = JSON.stringify([
      element.localName,
      ...SELECTING_ATTRIBUTES.map((name) => element.getAttribute(name)),
      ...INHERITED_PROPERTIES.map((name) => parent?.getPropertyValue(name)),
    ])
    let style = styles.get(key)
    if (!style) {
      style = compute(element)
      styles.set(key, style)
    }
    return style
  }
  return getStyle
}
