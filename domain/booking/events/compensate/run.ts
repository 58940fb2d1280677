import { domainError, type DomainError } from '../../../api/errors'
import { roundAmount, toMinorUnits } from '../../../money/money'
import { buildAttemptUpdates } from '../../../payments/paymentChange'
import { err, ok, type Result } from '../../../api/result'
import { getCompensationLimits, getOpenRefunds } from './compensationLimits'
import { recordAdjustment } from '../../payment/adjustments'
import { checkCurrency } from '../../payment/bookingCurrency'
import { createEventDraft, type Draft } from '../../changeDraft'
import type { BookingChange, BookingError } from '../../eventTypes'
import { keepWords } from '../../eventWords'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import type { EventInputFor } from '../../eventInput'
import type { Adjustment } from '../../../money/types'

type CompensateInput = EventInputFor<'compensate'>

const AMOUNT_FIELDS = ['rider', 'driver', 'take_back'] as const

type AmountField = (typeof AMOUNT_FIELDS)[number]

/** Returns the refusal of an amount for a deleted account, or for a driver that there was not. */
const checkPerson = (
  { booking, context }: TransitionArgs<'customer' | 'driver'>,
  field: AmountField,
): DomainError | undefined => {
  const hasWallet =
    field === 'rider' ? context.customer !== null : booking.driver && context.driver !== null
  return hasWallet ? undefined : domainError('not_found', field)
}

const checkAmounts = (
  args: TransitionArgs<'cardPayments' | 'driver' | 'customer'>,
  input: CompensateInput,
): DomainError | undefined => {
  const { booking, context } = args
  const { settings, cardPayments } = context
  const { decimal } = settings
  const requestedFields = AMOUNT_FIELDS.filter((field) => input[field] !== undefined)
  if (requestedFields.length === 0) return domainError('no_details_error', 'rider')
  if (input.driver !== undefined && input.take_back !== undefined)
    return domainError('bad_input', 'take_back')
  const limits = getCompensationLimits(
    booking,
    settings,
    input.reason,
    getOpenRefunds(cardPayments, settings),
  )
  for (const field of requestedFields) {
    const units = toMinorUnits(input[field] ?? 0, decimal)
    if (units <= 0) return domainError('no_details_error', field)
    const refused = checkPerson(args, field)
    if (refused) return refused
    if (units > toMinorUnits(limits[field], decimal))
      return domainError('compensation_too_much', field, { most: limits[field] })
  }
  return undefined
}

/**
 * Makes a refund that begins at the same moment fail: it would return money to the card that this
 * credit is based on. Safe because both write the next revision of the payment.
 */
const reviseCardPayments = (draft: Draft, { context, now }: TransitionArgs<'cardPayments'>) => {
  for (const attempt of context.cardPayments)
    for (const [path, value] of Object.entries(buildAttemptUpdates(attempt, {}, now)))
      draft.set(path, value)
}

const moveMoney = (
  draft: Draft,
  args: TransitionArgs<'customer' | 'driver' | 'cardPayments'>,
  input: CompensateInput,
) => {
  const { booking, context } = args
  const { request_id, reason } = input
  const key = `${booking.id}-${request_id}-compensation`
  const details = { reason }
  const { reference } = booking
  if (input.rider !== undefined) {
    draft.addWalletEntry(context.customer, key, { type: 'Credit', amount: input.rider, ...details })
    draft.notifyCustomer('compensated', booking, { amount: input.rider, reference, reason })
    reviseCardPayments(draft, args)
  }
  if (input.driver !== undefined) {
    draft.addWalletEntry(context.driver, key, { type: 'Credit', amount: input.driver, ...details })
    const params = { amount: input.driver, reference, reason }
    draft.notify('compensated', 'driver', booking.driver, params)
  }
  if (input.take_back !== undefined) {
    draft.addWalletEntry(context.driver, key, {
      type: 'Debit',
      amount: input.take_back,
      ...details,
    })
    const params = { amount: input.take_back, reference, reason }
    draft.notify('taken_back', 'driver', booking.driver, params)
  }
}

/** Returns the input with its amounts rounded to the currency. */
const roundAmounts = (input: CompensateInput, decimal: number): CompensateInput => ({
  ...input,
  ...Object.fromEntries(
    AMOUNT_FIELDS.flatMap((field) => {
      const amount = input[field]
      return amount === undefined ? [] : [[field, roundAmount(amount, decimal)]]
    }),
  ),
})

/**
 * Settles a complaint about a booking that has ended: credits the rider, credits the driver or
 * takes money back from them, as one change of the wallets, the booking and the totals. The
 * driver's wallet may become negative. Refused: no_details_error (no amount), bad_input,
 * payment_mismatch (the booking has an earlier currency), not_found (the account is deleted, or
 * there was no driver), compensation_too_much (`params.most` is the limit).
 */
export const compensateBooking = (
  args: EventArgs<'compensate'>,
  rawInput: CompensateInput,
): Result<BookingChange, BookingError> => {
  const { booking, context, now } = args
  const { settings } = context
  const input = roundAmounts(rawInput, settings.decimal)
  const { request_id, reason, rider, driver, take_back, text } = input
  if (booking.adjustments?.[request_id]) return err(domainError('already_processed', 'request_id'))
  const refused = checkCurrency(booking, settings) ?? checkAmounts(args, input)
  if (refused) return err(refused)
  const forDriver = driver ?? (take_back === undefined ? undefined : -take_back)
  const adjustment: Adjustment = {
    at: now,
    reason,
    ...(rider !== undefined && { rider }),
    ...(forDriver !== undefined && { driver: forDriver }),
  }
  const words = keepWords(booking, context, text)
  const details = { ref: request_id, reason, words }
  const draft = createEventDraft(args, 'compensate', booking.status, details)
  recordAdjustment(draft, args, request_id, adjustment)
  moveMoney(draft, args, input)
  draft.addAuditEntry('booking_compensate', {
    to: { reason, rider_compensation: rider, driver_compensation: forDriver },
  })
  return ok(draft.done())
}
