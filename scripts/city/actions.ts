import type { EndpointOutput } from '~/domain/api/api'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import type { CallResult, SimulationEnvironment, CallOptions, SimulatedUser } from './simulatedUser'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'

/** Refusals that are not about the event itself. */
const INCONCLUSIVE_ERRORS = ['unanswered', 'too_many_requests', 'changed_meanwhile', 'maintenance']

/**
 * The refusal of a booking without a driver nearby. The first of two requests may get it and the
 * second not, because drivers come and go; once the booking exists, every repeat is answered.
 */
const NO_DRIVER = 'no_driver_found_alert_messege'

/** Checks that two responses to the same request agree. */
const checkSameAnswer = (
  { recorder }: SimulationEnvironment,
  what: string,
  answers: readonly [
    CallResult<EndpointOutput<'advance_booking'>>,
    CallResult<EndpointOutput<'advance_booking'>>,
  ],
) => {
  const [a, b] = answers
  if (a.ok && b.ok) {
    if (a.value.revision !== b.value.revision || a.value.status !== b.value.status)
      recorder.wrong(
        `${what} was answered twice: ${a.value.status} at revision ${a.value.revision}, ${b.value.status} at revision ${b.value.revision}`,
      )
    return
  }
  const no = a.ok ? b : a
  if (a.ok !== b.ok && !no.ok && !INCONCLUSIVE_ERRORS.includes(no.error.key))
    recorder.wrong(`${what} was done, but its repeat was refused: ${no.error.key}`)
}

interface ActionOptions extends CallOptions {
  /**
   * The user who repeats the tap at the same moment: the same one, or the same person in another
   * tab.
   */
  repeatedBy?: SimulatedUser | undefined
}

const performTwice = async (
  city: SimulationEnvironment,
  what: string,
  ask: (who: SimulatedUser) => Promise<CallResult<EndpointOutput<'advance_booking'>>>,
  [person, other]: [SimulatedUser, SimulatedUser | undefined],
): Promise<CallResult<EndpointOutput<'advance_booking'>>> => {
  if (!other) return ask(person)
  city.recorder.mishap(other === person ? 'doubled tap' : 'two tabs')
  const [first, second] = await Promise.all([ask(person), ask(other)])
  const askAgain = async (who: SimulatedUser, outcome: typeof first) =>
    outcome.ok || outcome.error.key !== NO_DRIVER ? outcome : ask(who)
  const answers =
    first.ok || second.ok
      ? ([await askAgain(person, first), await askAgain(other, second)] as const)
      : ([first, second] as const)
  checkSameAnswer(city, what, answers)
  return answers[0].ok ? answers[0] : answers[1]
}

/** Sends an event for a booking as the app does and records what the functions acknowledged. */
export const advanceBooking = async (
  city: SimulationEnvironment,
  person: SimulatedUser,
  input: AdvanceBookingInput,
  { repeatedBy, ...callOptions }: ActionOptions = {},
): Promise<CallResult<EndpointOutput<'advance_booking'>>> => {
  const { booking_id: booking, event } = input
  const as = `advance_booking ${event}`
  if (callOptions.dropResponseAfter !== undefined) city.recorder.mishap('answer not heard')
  const ask = (who: SimulatedUser) =>
    who.callWithRetry('advance_booking', input, {
      ...callOptions,
      reportedName: as,
    })
  const outcome = await performTwice(city, `${event} of ${booking}`, ask, [person, repeatedBy])
  // The revision identifies the event: a driver may be assigned twice, depending on their response
  // to the first offer.
  if (outcome.ok) {
    const { revision } = outcome.value
    city.recorder.done({ booking, event, by: person.uid, revision })
  }
  return outcome
}

/** Creates a booking with the client's own id, so that the request can be repeated. */
export const createBooking = async (
  city: SimulationEnvironment,
  person: SimulatedUser,
  input: CreateBookingInput,
  { repeatedBy, ...callOptions }: ActionOptions = {},
): Promise<CallResult<EndpointOutput<'advance_booking'>>> => {
  const ask = (who: SimulatedUser) => who.callWithRetry('create_booking', input, callOptions)
  const { booking_id: booking } = input
  const outcome = await performTwice(city, `create of ${booking}`, ask, [person, repeatedBy])
  if (outcome.ok) {
    const { revision } = outcome.value
    city.recorder.done({ booking, event: 'create', by: person.uid, revision })
  }
  return outcome
}
