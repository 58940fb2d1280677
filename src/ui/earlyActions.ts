/** Repeats the last button press or form that came before the app could react to it. */
let repeat: (() => void) | null = null
const abort = new AbortController()

const rememberPress = ({ target }: Event) => {
  const button = target instanceof Element ? target.closest('button') : null
  if (button) repeat = () => button.click()
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

/** Repeats the last action now that the page can react, and remembers no further one. */
export const repeatEarlyAction = (): void => {
  if (abort.signal.aborted) return
  abort.abort()
  repeat?.()
}
