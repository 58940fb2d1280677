import { findBookingPaymentViolations } from '../../payments/accountViolations'
import { findPayerViolations, findPaymentViolations } from '../../payments/paymentViolations'
import { byOwnKey, type Check } from './check'

export const PAYMENT_CHECKS: Record<string, Check> = {
  payers: {
    groupingKeys: { payments: ({ uid }) => [uid], users: byOwnKey },
    find: findPayerViolations,
  },
  payments: {
    groupingKeys: {
      payments: byOwnKey,
      bookings: ({ event_log = {} }) => Object.values(event_log).map(({ ref }) => ref),
      payment_events: ({ payment }) => [payment],
    },
    find: findPaymentViolations,
  },
  bookingPayments: {
    groupingKeys: { payments: ({ booking }) => [booking], bookings: byOwnKey },
    find: findBookingPaymentViolations,
  },
}
