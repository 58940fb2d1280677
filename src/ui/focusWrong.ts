/** Brings the first field that is drawn as wrong into sight, with the focus in it. For an effect, not for a handler. */
export const focusWrong = (form: HTMLElement | null) => {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const field = first?.matches('fieldset') ? first.querySelector('input') : first
  field?.focus()
}
