/** Saves a preference on this device; does nothing when storage is full or blocked. */
export const savePreference = (name: string, text: string) => {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Nothing is lost that the person could not choose again.
  }
}
