import type { ParsedInput } from '~/domain/api/api'
import { roundAmount } from '~/domain/money/money'
import { getDecimals } from '~/domain/payments/currencyUnits'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { findOrCreateAttempt } from '../../services/payments/attemptCreation'
import { PAYMENT_SECRETS } from '../../deployment'
import { fail } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import { quotePayment } from './quotePayment'
import type { UserHandlerContext } from '../../ports/handlerContext'

type CardPaymentInput = Extract<ParsedInput<'start_payment'>, { payment_mode: 'card' }>
type TopUpInput = Extract<ParsedInput<'start_payment'>, { payment_mode: 'topup' }>

/** Pays for a booking, or opens a provider's checkout for a booking or a wallet top-up. */
export const start_payment = defineUserEndpoint({
  name: 'start_payment',
  summary:
    "Pays a booking from the wallet or promises cash at once; `card` and `topup` open a provider's checkout, and only its verified webhook pays.",
  allow: ['rider', 'driver'],
  limit: 60,
  spends: ['maps', 'messages', 'payments'],
  dailyLimit: 500,
  secrets: PAYMENT_SECRETS,
  needsFreshSignIn: false,
  errors: [
    'not_found',
    'not_allowed',
    'event_not_possible',
    'wallet_too_low',
    'amount_not_chargeable',
    'promo_invalid',
    'promo_expired',
    'promo_min_order',
    'promo_used_up',
    'promo_already_used',
    'changed_meanwhile',
  ],
  async handle(input, context) {
    const { actor, bookings } = context
    if (input.payment_mode === 'card') return openCheckout(input, context)
    if (input.payment_mode === 'topup') return openTopUp(input, context)
    const { booking_id, ...pay } = input
    const { status, revision } = await bookings.applyEvent(
      booking_id,
      { event: 'pay', ...pay },
      actor,
    )
    return { booking_id, status, revision }
  },
})

const openCheckout = async (input: CardPaymentInput, context: UserHandlerContext) => {
  const { db, actor, now } = context
  const { due } = await quotePayment(db, input, actor.uid, now)
  if (due <= 0) fail('bad_input', 'payment_mode')
  const { booking_id, promo, usedWalletMoney } = input
  return beginPayment(context, {
    kind: 'booking',
    gateway: input.provider,
    amount: due,
    booking: booking_id,
    ...(promo && { promo }),
    ...(usedWalletMoney && { details: { usedWalletMoney } }),
  })
}

const openTopUp = async (
  { provider: gateway, amount }: TopUpInput,
  context: UserHandlerContext,
) => {
  const { decimal, code } = await readSettings(context.db)
  const places = Math.min(decimal, getDecimals(code))
  return beginPayment(context, { kind: 'wallet', gateway, amount: roundAmount(amount, places) })
}

/**
 * Records the attempt before the customer goes to the provider, because the webhook must find the
 * attempt.
 */
const beginPayment = async (
  context: UserHandlerContext,
  attemptRequest: Omit<Parameters<typeof findOrCreateAttempt>[1], 'uid'>,
) => {
  const { db, actor, now, payments } = context
  const settings = await readSettings(db)
  const attempt = await findOrCreateAttempt(
    context,
    { ...attemptRequest, uid: actor.uid },
    settings,
    now,
  )
  const { id: payment_id, amount, currency, gateway } = attempt
  return { payment_id, url: payments.urls.checkout(gateway), amount, currency }
}
