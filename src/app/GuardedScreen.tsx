import { type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { getPermittedRoles } from '~/domain/permissions'
import { SiteShell } from '~/src/site/SiteShell'
import { selectAuth, selectProfile, selectIsSessionKnown } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { prefetch, prefetchOffice, PAGES_BY_AREA, SHELLS, getAppArea } from './routes'
import { useDocumentTitle } from './documentTitle'
import { PageSkeleton, PageSkeletonWithBanner } from './PageSkeleton'

const WithShell = ({
  side: area,
  children,
}: {
  side: keyof typeof PAGES_BY_AREA
  children: ReactNode
}) => {
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
  const permitted = getPermittedRoles(route)
  const usertype = profile?.usertype
  // The login page always uses the site shell, even for a user who is about to leave it.
  const side = permitted ? getAppArea(usertype) : 'site'
  const Page = PAGES_BY_AREA[side][route]
  useEffect(() => {
    // Loads the page in parallel with its shell; otherwise the page would load only after the
    // shell.
    if (known) prefetch(Page)
  }, [known, Page])
  // A visitor sent here in the middle of a booking is a rider.
  const isForBooking = (location.state as { forBooking?: boolean } | null)?.forBooking === true
  const isEnteringCode = route === screenPaths.login && codeSent && !isForBooking
  useEffect(() => {
    if (isEnteringCode) prefetchOffice()
  }, [isEnteringCode])
  useDocumentTitle(getAppArea(usertype) === 'office' && permitted ? null : route)
  if (permitted && !known) return <PageSkeletonWithBanner />
  if (permitted && !(usertype && permitted.includes(usertype)))
    return <Navigate to={screenPaths.login} replace state={{ from: location.pathname }} />
  if (!Page) return <Navigate to={screenPaths.home} replace />
  return (
    <Suspense fallback={<PageSkeletonWithBanner />}>
      <WithShell side={side}>
        <ErrorBoundary key={location.pathname}>
          <Suspense fallback={<PageSkeleton />}>
            <Page />
          </Suspense>
        </ErrorBoundary>
      </WithShell>
    </Suspense>
  )
}
