import * as v from 'valibot'
import { forUsers } from '../definition'
import { reconcilePayments } from '../payments/reconcile'
import { PAYMENT_SECRETS } from '../payments/secrets'
import { sweep } from '../sweeping'

/** Runs the minute's sweep now: where no scheduler runs, and for the office's list of stuck bookings. */
export const run_sweep = forUsers({
  name: 'run_sweep',
  summary: 'Runs the sweep of every minute at once, and names the bookings that are stuck.',
  input: v.object({}),
  allow: ['admin'],
  limit: 30,
  answers: '{expired, dispatched, reminded, stuck}: booking ids; {payments}: settled attempts',
  secrets: PAYMENT_SECRETS,
  refuses: [],
  async handle(_input, ports) {
    const [swept, payments] = await Promise.all([
      sweep(ports, ports.now),
      reconcilePayments(ports, ports.now),
    ])
    return { ...swept, payments: payments.settled }
  },
})
