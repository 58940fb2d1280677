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
