import { Suspense, useSyncExternalStore } from 'react'
import { useAppStore } from '~/src/store/hooks'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'

const FreshSignInDialog = lazyWithRetry(
  async () => (await import('./FreshSignInDialog')).FreshSignInDialog,
)

/** Asks for a fresh sign-in while a call waits for it. */
export const FreshSignInQuestion = () => {
  const { subscribe, isAsked } = useAppStore().extra.freshSignIn
  return useSyncExternalStore(subscribe, isAsked) ? (
    <Suspense fallback={null}>
      <FreshSignInDialog />
    </Suspense>
  ) : null
}
