/** Calls `onResize` when an element gets another size, until the returned function is called. */
export const observeSize = (element: Element, onResize: () => void): (() => void) => {
  // jsdom has none.
  if (typeof ResizeObserver === 'undefined') return () => undefined
  const observer = new ResizeObserver(onResize)
  observer.observe(element)
  return () => observer.disconnect()
}
