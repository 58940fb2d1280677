import type { AdvanceBooking, BookingAnswer, CreateBooking } from '~/domain/api'
import type { Answer, City, Manner, Person } from './person'

/** Refusals that say nothing about the event itself. */
const BESIDE_THE_POINT = ['unanswered', 'too_many_requests', 'changed_meanwhile']

/** Two answers to one and the same question must be one answer. */
const compare = (
  { observed }: City,
  what: string,
  answers: readonly [Answer<BookingAnswer>, Answer<BookingAnswer>],
) => {
  const [a, b] = answers
  if (a.ok && b.ok) {
    if (a.value.revision !== b.value.revision || a.value.status !== b.value.status)
      observed.wrong(
        `${what} was answered twice: ${a.value.status} at revision ${a.value.revision}, ${b.value.status} at revision ${b.value.revision}`,
      )
    return
  }
  const no = a.ok ? b : a
  if (a.ok !== b.ok && !no.ok && !BESIDE_THE_POINT.includes(no.error.key))
    observed.wrong(`${what} was done, but its repeat was refused: ${no.error.key}`)
}

interface Way extends Manner {
  /** The same tap again at the same moment: by the same finger, or from another tab of the same person. */
  twiceBy?: Person | undefined
}

const twice = async (
  city: City,
  what: string,
  ask: (who: Person) => Promise<Answer<BookingAnswer>>,
  [person, other]: [Person, Person | undefined],
): Promise<Answer<BookingAnswer>> => {
  if (!other) return ask(person)
  city.observed.mishap(other === person ? 'doubled tap' : 'two tabs')
  const answers = await Promise.all([ask(person), ask(other)])
  compare(city, what, answers)
  return answers[0].ok ? answers[0] : answers[1]
}

/** Does one event to a booking as the app does, and remembers what the functions said was done. */
export const advance = async (
  city: City,
  person: Person,
  input: AdvanceBooking,
  { twiceBy, ...manner }: Way = {},
): Promise<Answer<BookingAnswer>> => {
  const { booking_id: booking, event } = input
  const as = `advance_booking ${event}`
  if (manner.deafAfter !== undefined) city.observed.mishap('answer not heard')
  const ask = (who: Person) =>
    who.insist<BookingAnswer>('advance_booking', input, { ...manner, as })
  const answer = await twice(city, `${event} of ${booking}`, ask, [person, twiceBy])
  // Which of two assignments of one driver is in the log depends on what he said in between.
  if (answer.ok) {
    const { revision } = answer.value
    city.observed.done({ booking, event, by: person.uid, revision })
  }
  return answer
}

/** Makes a booking with the client's own id, so that it can be asked for again. */
export const create = async (
  city: City,
  person: Person,
  input: CreateBooking,
  { twiceBy, ...manner }: Way = {},
): Promise<Answer<BookingAnswer>> => {
  const ask = (who: Person) => who.insist<BookingAnswer>('create_booking', input, manner)
  const { booking_id: booking } = input
  const answer = await twice(city, `create of ${booking}`, ask, [person, twiceBy])
  if (answer.ok) {
    const { revision } = answer.value
    city.observed.done({ booking, event: 'create', by: person.uid, revision })
  }
  return answer
}
