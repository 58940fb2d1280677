import { type ReactNode, Suspense } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { liveSettings } from '~/src/features/settings/settings'
import { SiteShell } from '~/src/site/SiteShell'
import { selectProfile, selectIsSessionKnown } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { useIsLoaded } from '~/src/ui/loading/lazyWithRetry'
import { decideRoute } from './routeDecision'
import { type AppArea, SHELLS } from './routes'
import { ScreenTitle } from './ScreenTitle'
import { PageSkeleton, PageSkeletonWithBanner } from './PageSkeleton'

const WithShell = ({ area, children }: { area: AppArea; children: ReactNode }) => {
  if (area === 'site') return <SiteShell>{children}</SiteShell>
  const Shell = SHELLS[area]
  return <Shell>{children}</Shell>
}

/** Renders one route for the current user: guarded, in the matching shell, loaded on demand. */
export const GuardedScreen = ({ route }: { route: string }) => {
  const profile = useAppSelector(selectProfile)
  const isSessionKnown = useAppSelector(selectIsSessionKnown)
  const { settings, loading } = useLive(liveSettings)
  const location = useLocation()
  const decision = decideRoute(route, profile?.usertype, isSessionKnown)
  const { area, Page } = decision.kind === 'page' ? decision : { area: null, Page: null }
  // The shell, the page and the settings load in parallel. Without `useIsLoaded`, each page that
  // opens for the first time would show a skeleton for 300 ms.
  const isShellLoaded = useIsLoaded(area && area !== 'site' ? SHELLS[area] : null)
  const isPageLoaded = useIsLoaded(Page)
  // The tables and amounts of guarded pages follow the settings: without them, a table would change
  // its columns under the pointer.
  const isWaiting =
    decision.kind === 'waiting' ||
    !isShellLoaded ||
    (decision.kind === 'page' && decision.isGuarded && loading && !settings)
  if (decision.kind === 'redirect')
    return <Navigate to={decision.to} replace state={{ from: location.pathname }} />
  if (isWaiting) return <PageSkeletonWithBanner />
  return (
    <Suspense fallback={<PageSkeletonWithBanner />}>
      <WithShell area={decision.area}>
        <ErrorBoundary key={location.pathname}>
          <Suspense fallback={<PageSkeleton />}>
            {isPageLoaded ? <decision.Page /> : <PageSkeleton />}
            {isPageLoaded && area !== 'office' && <ScreenTitle route={route} />}
          </Suspense>
        </ErrorBoundary>
      </WithShell>
    </Suspense>
  )
}
