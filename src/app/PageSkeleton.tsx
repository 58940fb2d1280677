import { useConnectionProblem } from '~/src/store/connectionProblem'
import { OfflineBanner } from '~/src/ui/feedback/OfflineBanner'
import { SkeletonLines } from '~/src/ui/feedback/states'

/** Shows placeholder lines while a page loads. */
export const PageSkeleton = () => (
  <div style={{ maxWidth: 'var(--page)', margin: '0 auto', padding: 'var(--gap-6) var(--gap-4)' }}>
    <SkeletonLines lines={3} height="5rem" />
  </div>
)

/** Shows the skeleton with the offline banner, for use where no shell would explain the delay. */
export const PageSkeletonWithBanner = () => (
  <>
    <OfflineBanner {...useConnectionProblem(true)} />
    <PageSkeleton />
  </>
)
