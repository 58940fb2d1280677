import { useEffect } from 'react'
import { LoginPage } from '~/src/site/login/LoginPage'
import { selectAuth } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useNavigationState } from '~/src/ui/navigation/router'

/** Loads what follows the sign-in while a person waits for the code and types it. */
const usePreloadAfterSignIn = () => {
  const isEnteringCode = useAppSelector((state) => selectAuth(state).verificationId !== null)
  const navigationState = useNavigationState() as { forBooking?: boolean } | null
  // A visitor who signs in to book is a rider.
  const isForBooking = navigationState?.forBooking === true
  useEffect(() => {
    if (!isEnteringCode) return
    import('./AppRoutes').catch(() => undefined)
    if (!isForBooking)
      import('./routes').then(({ prefetchOffice }) => prefetchOffice()).catch(() => undefined)
  }, [isEnteringCode, isForBooking])
}

/** Renders the sign-in page, and prepares the page that follows it. */
export const LoginScreen = () => {
  usePreloadAfterSignIn()
  return <LoginPage />
}
