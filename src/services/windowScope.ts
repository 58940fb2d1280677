/**
 * The name of the role that this window plays in the demo tour, or null in every other window. Only
 * a build for this machine ever sets it.
 */
let windowScope: string | null = null

export const getWindowScope = (): string | null => windowScope

/**
 * Gives this window its own session, beside those of the other windows of the site: a sign-in, and
 * everything that the app stores about the person, belongs to this window only and ends with it.
 * Has to run before anything reads the browser's storage.
 */
export const startWindowScope = (name: string): void => {
  windowScope = name
  Object.defineProperty(window, 'localStorage', { configurable: true, value: sessionStorage })
}
