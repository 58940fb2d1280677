/** Returns a preference of this device, or null, also when storage is blocked. */
export const readPreference = (name: string): string | null => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** Saves a preference on this device; does nothing when storage is full or blocked. */
export const savePreference = (name: string, text: string) => {
  try {
    localStorage.setItem(name, text)
  } catch {
    // Nothing is lost that the person could not choose again.
  }
}
