import { useEffect, useRef } from 'react'

/**
 * Returns the ref of a heading that replaces a form. The form that had the focus is gone, so the
 * heading takes it, and a screen reader continues there at the top of the page. The heading needs a
 * `tabIndex` of -1.
 */
export const useArrivalFocus = () => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    window.scrollTo({ top: 0 })
  }, [])
  return heading
}
