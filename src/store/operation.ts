import { createAsyncThunk } from '@reduxjs/toolkit'
import type { Refusal } from '~/domain/errors'
import { type Services, refusalOf } from '~/src/services/services'
import type { AppDispatch, Extra } from './makeStore'
import type { AppState } from './reducer'

interface Context {
  dispatch: AppDispatch
  getState: () => AppState
}

/**
 * A named operation (specification 7) as a thunk. Whatever it throws becomes a refusal and, unless its argument
 * says `quiet`, a notice; `dispatch(op(input)).unwrap()` rejects with the Refusal.
 */
export const operation = <Input = void, Output = void>(
  name: string,
  run: (input: Input, services: Services, context: Context) => Promise<Output>,
) =>
  createAsyncThunk<
    Output,
    Input,
    { state: AppState; dispatch: AppDispatch; extra: Extra; rejectValue: Refusal }
  >(name, async (input, { extra, dispatch, getState, rejectWithValue }) => {
    try {
      return await run(input, extra.services, { dispatch, getState })
    } catch (error) {
      // A refusal may be thrown as it is: `throw refusal('select_proper', 'pickup')`.
      if (typeof error === 'object' && error !== null && 'key' in error)
        return rejectWithValue(error as Refusal)
      return rejectWithValue(refusalOf(error))
    }
  })
