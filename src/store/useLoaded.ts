import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit'
import { useEffect, useRef, useState } from 'react'
import type { DomainError } from '~/domain/api/errors'
import { useAppDispatch } from './hooks'
import type { AppState } from './reducer'
import type { ThunkExtra } from '~/src/store/storeTypes'

/** An operation of `createServiceThunk`. */
interface Operation<Input, Value> {
  quiet: (
    input: Input,
  ) => ThunkAction<{ unwrap: () => Promise<Value> }, AppState, ThunkExtra, UnknownAction>
}

interface Attempt<Input, Value> {
  input: Input
  count: number
  value?: Value
  failure?: DomainError
}

/**
 * Loads a value by one operation when a screen opens, and again for another input (compared by
 * identity). Nothing loads while `isWanted` is false. `value` is undefined until it has arrived;
 * `setValue` replaces it, for example by the result of a change. The screen shows `failure`.
 */
export const useLoaded = <Input, Value>(
  operation: Operation<Input, Value>,
  input: Input,
  isWanted = true,
) => {
  const dispatch = useAppDispatch()
  const [count, setCount] = useState(0)
  const [attempt, setAttempt] = useState<Attempt<Input, Value>>()
  const latest = useRef({ input, changes: 0 })
  useEffect(() => {
    if (!isWanted) return undefined
    const begun = { input, changes: 0 }
    latest.current = begun
    let isCurrent = true
    // A load that began before a change responds with an older value.
    const settle = (result: Pick<Attempt<Input, Value>, 'value' | 'failure'>) =>
      isCurrent && begun.changes === 0 && setAttempt({ input, count, ...result })
    dispatch(operation.quiet(input))
      .unwrap()
      .then(
        (value) => settle({ value }),
        (failure: DomainError) => settle({ failure }),
      )
    return () => {
      isCurrent = false
    }
  }, [dispatch, operation, input, isWanted, count])
  const isCurrent = isWanted && attempt?.count === count && attempt.input === input
  const current = isCurrent ? attempt : undefined
  return {
    value: current?.value,
    failure: current?.failure ?? null,
    isLoading: isWanted && current === undefined,
    retry: () => setCount(count + 1),
    setValue: (value: Value) => {
      // The screen may show another input by the time a change responds.
      if (latest.current.input !== input) return
      latest.current.changes += 1
      setAttempt({ input, count, value })
    },
  }
}
