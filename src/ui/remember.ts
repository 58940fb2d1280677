/** Has this device remember a convenience; one without room, or that keeps nothing of this site, goes on without it. */
export const remember = (name: string, text: string) => {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Nothing is lost that the person could not choose again.
  }
}
