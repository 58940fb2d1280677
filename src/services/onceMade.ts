/** Made when it is first asked for, and the same from then on. What could not be made is tried again the next time. */
export const onceMade = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let wanted: Promise<Made> | undefined
  return () => {
    if (!wanted) {
      wanted = make()
      wanted.catch(() => (wanted = undefined))
    }
    return wanted
  }
}
