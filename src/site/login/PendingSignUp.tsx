import { type ComponentProps, Suspense } from 'react'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'

const RegistrationDialog = lazyWithRetry(
  async () => (await import('./RegistrationDialog')).RegistrationDialog,
)

/**
 * Loads the question about a pending sign-up. A module of its own, because the scripts of the home
 * page list the files of all they load later, and this form, which few people see, has many.
 */
export const PendingSignUp = (props: ComponentProps<typeof RegistrationDialog>) => (
  <Suspense fallback={null}>
    <RegistrationDialog {...props} />
  </Suspense>
)
