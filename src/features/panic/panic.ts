import type { AnswerPanicInput, RaisePanicInput } from '~/domain/api/inputs/office'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Returns the key that names one press of the emergency button. */
export const createPressKey = createServiceThunk<void, string>(
  'panic/createKey',
  (_, { database }) => database.newKey(),
)

/** Alerts the office that the signed-in person is in danger. */
export const raisePanic = createServiceThunk<RaisePanicInput, { at: number }>(
  'panic/raise',
  (input, { functions }) => functions.call('raise_panic', input),
)

/** Takes care of an emergency or closes it; `first` is false when a colleague was faster. */
export const answerPanic = createServiceThunk<AnswerPanicInput, { first: boolean }>(
  'panic/answer',
  (input, { functions }) => functions.call('answer_panic', input),
)
