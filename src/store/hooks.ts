import { useDispatch, useSelector, useStore } from 'react-redux'
import type { Services } from '~/src/services/services'
import type { AppState } from './reducer'
import type { AppDispatch, AppStore } from '~/src/store/storeTypes'

// Only this file uses the untyped hooks.
export const useAppDispatch = useDispatch.withTypes<AppDispatch>()
export const useAppSelector = useSelector.withTypes<AppState>()
export const useAppStore = useStore.withTypes<AppStore>()

/** Returns the ports, for the few uses outside the state: an upload, a code to show. */
export const useServices = (): Services => useAppStore().extra.services
