/** Repeats the last button press or form that came before the app could react to it. */
let repeat: (() => void) | null = null
const abort = new AbortController()

/** Parts of the page that react already, while others still wait. */
const readyParts: Element[] = []

const rememberPress = ({ target }: Event) => {
  const button = target instanceof Element ? target.closest('button') : null
  if (!button) return
  const isHandled = readyParts.some((part) => part.contains(button))
  repeat = isHandled ? null : () => button.click()
}
const rememberSubmit = (event: SubmitEvent) => {
  const { target: form, submitter } = event
  // The browser would send the form to the server and load the page again.
  event.preventDefault()
  if (form instanceof HTMLFormElement) repeat = () => form.requestSubmit(submitter)
}

/** Remembers the last action on a prerendered page before the app runs. Links need no app. */
export const rememberEarlyAction = (): void => {
  const options = { capture: true, signal: abort.signal }
  document.addEventListener('click', rememberPress, options)
  document.addEventListener('submit', rememberSubmit, options)
}

/** Marks a part of the page that reacts from now on, so that its buttons are not pressed twice. */
export const markReady = (part: Element | null): void => {
  if (part) readyParts.push(part)
}

/** Repeats the last action now that the page can react, and remembers no further one. */
export const repeatEarlyAction = (): void => {
  if (abort.signal.aborted) return
  abort.abort()
  repeat?.()
}
