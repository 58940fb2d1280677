import { type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { SiteShell } from '~/src/site/SiteShell'
import { selectAuth, selectProfile, selectIsSessionKnown } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { decideRoute } from './routeDecision'
import { type AppArea, prefetch, prefetchOffice, SHELLS } from './routes'
import { useDocumentTitle } from './documentTitle'
import { PageSkeleton, PageSkeletonWithBanner } from './PageSkeleton'

const WithShell = ({ area, children }: { area: AppArea; children: ReactNode }) => {
  if (area === 'site') return <SiteShell>{children}</SiteShell>
  const Shell = SHELLS[area]
  return <Shell>{children}</Shell>
}

/** Renders one route for the current user: guarded, in the matching shell, loaded on demand. */
export const GuardedScreen = ({ route }: { route: string }) => {
  const profile = useAppSelector(selectProfile)
  const known = useAppSelector(selectIsSessionKnown)
  const codeSent = useAppSelector((state) => selectAuth(state).verificationId !== null)
  const location = useLocation()
  const decision = decideRoute(route, profile?.usertype, known)
  const { area, Page } = decision.kind === 'page' ? decision : { area: null, Page: null }
  useEffect(() => {
    // Loads the page in parallel with its shell; otherwise the page would load only after the
    // shell.
    if (known && Page) prefetch(Page)
  }, [known, Page])
  // A visitor sent here in the middle of a booking is a rider.
  const isForBooking = (location.state as { forBooking?: boolean } | null)?.forBooking === true
  const isEnteringCode = route === screenPaths.login && codeSent && !isForBooking
  useEffect(() => {
    if (isEnteringCode) prefetchOffice()
  }, [isEnteringCode])
  useDocumentTitle(area === 'office' ? null : route)
  if (decision.kind === 'waiting') return <PageSkeletonWithBanner />
  if (decision.kind === 'redirect')
    return <Navigate to={decision.to} replace state={{ from: location.pathname }} />
  return (
    <Suspense fallback={<PageSkeletonWithBanner />}>
      <WithShell area={decision.area}>
        <ErrorBoundary key={location.pathname}>
          <Suspense fallback={<PageSkeleton />}>
            <decision.Page />
          </Suspense>
        </ErrorBoundary>
      </WithShell>
    </Suspense>
  )
}
