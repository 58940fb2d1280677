import { applyBookingEvent } from '../booking/applyBookingEvent'
import type { Actor, PushMessage } from '../booking/eventTypes'
import { toJson } from '../data/databaseValue'
import { commitChange, readValue, type Tree } from '../data/memoryTree'
import { getNetPayment, getPaymentLines, getPaymentRows } from '../payments/paymentStatement'
import { aDriver, anEventContext, aRider, aSettings, aVehicleType, MINUTE, NOON } from './builders'
import type { EventContext } from '../booking/eventContext'
import type { EventInput } from '../booking/eventInput'
import type { Booking, PaymentMode } from '../booking/types'

/** Returns a function that applies events to a booking, one minute apart, and its present state. */
export const createStory = (start: Booking, walletBalance = 0) => {
  const tree = toJson({
    bookings: { [start.id]: start },
    users: {
      rider: aRider({ walletBalance }),
      driver: aDriver({ queue: start.driver !== undefined }),
    },
  }) as Tree
  const at = <T>(path: string) => readValue(tree, path) as T
  const getBooking = () => at<Booking>(`bookings/${start.id}`)
  const pushes: PushMessage[] = []
  const toLine = ({ title, params = {} }: PushMessage) =>
    [title.replace(/^push_|_title$/g, ''), ...Object.values(params)].join(' ')
  let now = NOON
  const apply = (input: EventInput, actor: Actor, context: Partial<EventContext> = {}) => {
    now += MINUTE
    const customer = at<ReturnType<typeof aRider>>('users/rider')
    const facts = anEventContext({
      customer,
      driver: at<ReturnType<typeof aDriver>>('users/driver'),
      carType: aVehicleType(),
      ...context,
    })
    const result = applyBookingEvent(getBooking(), input, { actor, context: facts, now })
    if (!result.ok) throw new Error(result.error.key)
    commitChange(tree, result.value)
    pushes.push(...result.value.pushes)
    return result.value
  }
  return {
    apply,
    getBooking,
    /** Returns the messages of a person so far, with their parameters. */
    getInbox: (uid: string) => pushes.filter(({ to }) => to === uid).map(toLine),
    getNetPayment: (method?: PaymentMode) => getNetPayment(getBooking(), 2, method),
    getBalance: () => at<number>('users/rider/walletBalance'),
    getLines: () =>
      getPaymentLines(getBooking()).map(
        ({ kind, method, amount, cause }) => `${kind} ${method} ${amount} ${cause}`,
      ),
    getRows: () =>
      getPaymentRows(getBooking(), aSettings(), (key) => key).map(({ label, cause, amount }) =>
        [label, cause, amount].filter((part) => part !== undefined).join(' '),
      ),
  }
}
