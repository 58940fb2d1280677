import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * Scrolls the first invalid field fully into view, clear of sticky elements at the edges of the
 * page, and focuses it. Call it from an effect, not from a handler.
 */
export const focusFirstInvalid = (form: HTMLElement | null) => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const field = first?.matches('fieldset') ? first.querySelector('input') : first
  field?.focus({ preventScroll: true })
  // Includes its label and message. jsdom has no scrolling, hence the optional call.
  field?.parentElement?.scrollIntoView({ block: 'center' })
}

/**
 * Returns the ref of an element whose first invalid field gets the focus after each refusal;
 * `refusals` counts them. Does nothing while `isActive` is false.
 */
export const useInvalidFocus = <Type extends HTMLElement>(refusals: number, isActive = true) => {
  const element = useRef<Type>(null)
  const focus = useEffectEvent(() => {
    if (refusals > 0 && isActive) focusFirstInvalid(element.current)
  })
  useEffect(() => focus(), [refusals])
  return element
}
