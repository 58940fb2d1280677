import { type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { permittedOn } from '~/domain/permissions'
import { SiteShell } from '~/src/site/SiteShell'
import { selectAuth, selectProfile, selectSessionKnown } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { fetchAhead, fetchDeskAhead, PAGE_OF, SHELLS, sideOf } from './routes'
import { useTitle } from './titles'
import { Waiting } from './Waiting'

const Framed = ({ side, children }: { side: keyof typeof PAGE_OF; children: ReactNode }) => {
  if (side === 'site') return <SiteShell>{children}</SiteShell>
  const Shell = SHELLS[side]
  return <Shell>{children}</Shell>
}

/** One route for whoever is here: guarded, in his frame, loaded when needed. */
export const Screen = ({ route }: { route: string }) => {
  const profile = useAppSelector(selectProfile)
  const known = useAppSelector(selectSessionKnown)
  const codeSent = useAppSelector((state) => selectAuth(state).verificationId !== null)
  const location = useLocation()
  const permitted = permittedOn(route)
  const usertype = profile?.usertype
  // The login belongs to the site, whoever is about to leave it.
  const side = permitted ? sideOf(usertype) : 'site'
  const Page = PAGE_OF[side][route]
  useEffect(() => {
    // The page beside its frame: drawn, it would be asked for only when the frame is there.
    if (known) fetchAhead(Page)
  }, [known, Page])
  // Who was sent here in the middle of a booking is a rider.
  const isForBooking = (location.state as { forBooking?: boolean } | null)?.forBooking === true
  const atTheDoor = route === screens.login && codeSent && !isForBooking
  useEffect(() => {
    if (atTheDoor) fetchDeskAhead()
  }, [atTheDoor])
  useTitle(sideOf(usertype) === 'office' && permitted ? null : route)
  if (permitted && !known) return <Waiting />
  if (permitted && !(usertype && permitted.includes(usertype)))
    return <Navigate to={screens.login} replace state={{ from: location.pathname }} />
  if (!Page) return <Navigate to={screens.home} replace />
  return (
    <Suspense fallback={<Waiting />}>
      <Framed side={side}>
        <ErrorBoundary key={location.pathname}>
          <Suspense fallback={<Waiting />}>
            <Page />
          </Suspense>
        </ErrorBoundary>
      </Framed>
    </Suspense>
  )
}
