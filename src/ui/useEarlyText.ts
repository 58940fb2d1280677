import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'

/**
 * Passes on what a person typed into a prerendered field before the app ran. That text is only in
 * the DOM, and the next render would drop it. `text` is the field's own text.
 */
export const useEarlyText = (
  input: RefObject<HTMLInputElement | null>,
  text: string,
  onType: (typed: string) => void,
): void => {
  const passOn = useEffectEvent(() => {
    const typed = input.current?.value
    if (typed && typed !== text) onType(typed)
  })
  useLayoutEffect(() => passOn(), [])
}
