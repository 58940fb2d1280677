export const TOUR_PARAMETER = 'tour'
export const TOUR_ROLE_KEY = 'demo-tour.role'

/** Returns whether this window has a role in the tour, or its address asks for one. */
export const isTourWindow = (): boolean => {
  try {
    return (
      new URLSearchParams(window.location.search).has(TOUR_PARAMETER) ||
      sessionStorage.getItem(TOUR_ROLE_KEY) !== null
    )
  } catch {
    return false
  }
}
