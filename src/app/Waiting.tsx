import { SkeletonLines } from '~/src/ui/states'

/** The shape of a page that is still on its way. */
export const Waiting = () => (
  <div style={{ maxWidth: 'var(--page)', margin: '0 auto', padding: 'var(--gap-6) var(--gap-4)' }}>
    <SkeletonLines lines={3} height="5rem" />
  </div>
)
