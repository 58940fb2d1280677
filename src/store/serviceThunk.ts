import { createAsyncThunk } from '@reduxjs/toolkit'
import type { DomainError } from '~/domain/api/errors'
import { type Services, toDomainError } from '~/src/services/services'
import { noticeDismissed, noticeRaised } from './notices'
import { counted } from './pendingCalls'
import type { AppState } from './reducer'
import type { AppDispatch, ThunkExtra } from '~/src/store/storeTypes'

interface ThunkContext {
  dispatch: AppDispatch
  getState: () => AppState
}

/** Returns the type of the action that starts the operation that an action belongs to. */
export const toPendingType = (type: string) => type.replace(/\/[a-z]+$/, '/pending')

/** The metadata of a refusal; a quiet one raises no notice. */
export interface ServiceThunkMeta {
  isQuiet: boolean
}

/**
 * Creates a named operation as a thunk. Turns any thrown error into a domain error and a notice;
 * `dispatch(op(input)).unwrap()` rejects with the DomainError. `op.quiet` is the same operation
 * without the notice, for a screen that shows the refusal itself.
 */
export const createServiceThunk = <Input = void, Output = void>(
  name: string,
  run: (input: Input, services: Services, context: ThunkContext) => Promise<Output>,
) => {
  const create = (isQuiet: boolean) =>
    createAsyncThunk<
      Output,
      Input,
      {
        state: AppState
        dispatch: AppDispatch
        extra: ThunkExtra
        rejectValue: DomainError
        rejectedMeta: ServiceThunkMeta
      }
    >(name, async (input, { extra, dispatch, getState, rejectWithValue }) => {
      let notice: string | undefined
      const showUpdate = () => {
        notice = dispatch(noticeRaised({ tone: 'news', text: 'service_updating', isLasting: true }))
          .payload.id
      }
      try {
        return await run(
          input,
          counted(extra.services, { onWait: showUpdate, askForProof: extra.freshSignIn.ask }),
          { dispatch, getState },
        )
      } catch (error) {
        // Operations may throw a domain error directly: `throw domainError('select_proper',
        // 'pickup')`.
        const isDomainError = typeof error === 'object' && error !== null && 'key' in error
        return rejectWithValue(isDomainError ? (error as DomainError) : toDomainError(error), {
          isQuiet,
        })
      } finally {
        if (notice) dispatch(noticeDismissed(notice))
      }
    })
  return Object.assign(create(false), { quiet: create(true) })
}
