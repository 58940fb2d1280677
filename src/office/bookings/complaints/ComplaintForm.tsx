import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  getCompensationLimits,
  getOpenRefunds,
} from '~/domain/booking/events/compensate/compensationLimits'
import { domainError, type DomainError } from '~/domain/api/errors'
import {
  COMPLAINT_AMOUNTS,
  complaintForm,
  type ComplaintAmount,
  type ComplaintForm as Values,
  type ComplaintLimits,
} from '~/domain/forms/complaintForms'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { bookingPayments, refundPayment } from '~/src/features/payments/payments'
import { translateReason } from '~/src/i18n/reasonTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { NumberField, SelectField, TextField } from '~/src/ui/forms/fields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { useFormat } from '~/src/ui/format/format'
import { getRefundableAmount } from '../../payments/refundableAmount'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useOfficeSession } from '../../useOfficeSession'
import { ComplaintPreview } from './ComplaintPreview'
import css from './complaints.module.css'
import { COMPLAINT_REASONS, NOTE_LENGTH, type ComplaintReason } from '~/domain/money/types'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const EMPTY = { text: '', rider: null, card: null, driver: null, take_back: null }

interface CardPayments {
  /** The payment of which the card can get a part back. */
  payment: PaymentAttempt | undefined
  /** The sum of the refunds that are under way. */
  openRefunds: number
}
/** Returns the card payment of a booking that can be refunded, if any, and what is on its way. */
const useCardPayments = (booking: Booking, settings: Settings): CardPayments => {
  const { attempts } = useLive(bookingPayments, booking.id)
  const paid = attempts.filter(({ applied_to }) => applied_to === 'booking')
  const payment = paid.find(
    (one) => one.currency === settings.code && !one.refund && getRefundableAmount(one) > 0,
  )
  return {
    payment: booking.status === 'CANCELLED' ? undefined : payment,
    openRefunds: getOpenRefunds(paid, settings),
  }
}

/** A preview whose answer the form waits for. */
interface Question {
  values: Values
  answer: (isYes: boolean) => void
}

const WALLET_AMOUNTS = ['rider', 'driver', 'take_back'] as const

/** Returns functions that move the money of a complaint in the wallets, and back to the card. */
const useSettlement = (booking: Booking, payment: PaymentAttempt | undefined) => {
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { getKey, reset } = useIdempotencyKey()
  const cardKey = useIdempotencyKey()
  const refundToCard = async ({ reason, text, card }: Values) => {
    if (!card || !payment) return
    const input = { payment_id: payment.id, amount: card, complaint: { reason, text } }
    const request_id = await cardKey.getKey(input)
    try {
      const { refund } = await dispatch(refundPayment.quiet({ ...input, request_id })).unwrap()
      cardKey.reset()
      if (refund !== 'confirmed') notify(`payment_refund_${refund}`)
    } catch (error) {
      const { key, params } = error as DomainError
      // The provider refused it, so the next press is another request.
      if (key === 'event_not_possible') cardKey.reset()
      throw domainError(key, 'card', params)
    }
  }
  const settleInWallets = async ({ reason, text, rider, driver, take_back }: Values) => {
    if (!rider && !driver && !take_back) return
    const about = {
      ...{ booking_id: booking.id, reason, text },
      ...(rider && { rider }),
      ...(driver && { driver }),
      ...(take_back && { take_back }),
    }
    const request_id = await getKey(about)
    await dispatch(advanceBooking.quiet({ ...about, event: 'compensate', request_id })).unwrap()
    reset()
  }
  return { settleInWallets, refundToCard }
}

/** Returns a function for the most that a complaint can move, by its reason. */
const createGetLimits =
  (booking: Booking, settings: Settings, { payment, openRefunds }: CardPayments) =>
  (reason: ComplaintReason): ComplaintLimits => {
    const mostToCard = getCompensationLimits(booking, settings, 'other', openRefunds).rider
    return {
      ...getCompensationLimits(booking, settings, reason, openRefunds),
      card: payment ? Math.min(getRefundableAmount(payment), mostToCard) : 0,
      ...(!booking.driver && { driver: 0, take_back: 0 }),
    }
  }

/**
 * Returns the form of a complaint, and the question that waits for an answer before any money
 * moves.
 */
const useComplaintForm = (
  booking: Booking,
  { decimal }: Settings,
  payment: PaymentAttempt | undefined,
  getLimits: ReturnType<typeof createGetLimits>,
) => {
  const { can, notify } = useOfficeSession()
  const { settleInWallets, refundToCard } = useSettlement(booking, payment)
  const [question, setQuestion] = useState<Question | null>(null)
  const schemaForm = useSchemaForm({
    schema: complaintForm(getLimits, decimal),
    initial: EMPTY,
    onSubmit: async (values) => {
      if (!can('booking_compensate')) throw domainError('not_allowed')
      if (!(await new Promise<boolean>((resolve) => setQuestion({ values, answer: resolve }))))
        return
      await settleInWallets(values)
      // When the refund fails, the next attempt must not move this money again.
      for (const name of WALLET_AMOUNTS) schemaForm.form.setValue(name, null)
      await refundToCard(values)
      notify('complaint_settled')
      schemaForm.form.reset()
    },
  })
  const refuse = () => {
    question?.answer(false)
    setQuestion(null)
  }
  return { ...schemaForm, question, refuse }
}

/** Settles a complaint about a booking, after a preview of what each party gets. */
export const ComplaintForm = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const cardPayments = useCardPayments(booking, settings)
  const { payment } = cardPayments
  const getLimits = createGetLimits(booking, settings, cardPayments)
  const { form, element, field, submit, isSubmitting, problem, question, refuse } =
    useComplaintForm(booking, settings, payment, getLimits)
  const limits = getLimits(form.watch('reason') ?? 'other')
  const isShown = (name: ComplaintAmount) =>
    name === 'rider' || (name === 'card' ? payment !== undefined : Boolean(booking.driver))
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <SelectField
        label={t('reason')}
        options={[
          { value: '', label: t('complaint_choose_reason') },
          ...COMPLAINT_REASONS.map((value) => ({ value, label: translateReason(value, t) })),
        ]}
        {...field('reason')}
      />
      <div className={css.amounts}>
        {COMPLAINT_AMOUNTS.filter(isShown).map((name) => (
          <NumberField
            key={name}
            label={t(`complaint_${name}`)}
            unit="money"
            hint={t('complaint_most', { amount: format.money(limits[name]) })}
            {...field(name)}
          />
        ))}
      </div>
      <TextField
        label={t('complaint_text')}
        hint={t('complaint_text_hint')}
        maxLength={NOTE_LENGTH}
        {...field('text')}
      />
      <Refusal>{problem}</Refusal>
      <div className={css.buttons}>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('complaint_settle')}
        </Button>
      </div>
      {question && (
        <ComplaintPreview
          booking={booking}
          values={question.values}
          decimal={settings.decimal}
          onConfirm={() => Promise.resolve(question.answer(true))}
          onClose={refuse}
        />
      )}
    </form>
  )
}
