import { useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { EndpointOutput } from '~/domain/api/api'
import type { DomainError } from '~/domain/api/errors'
import { getWalletPart } from '~/domain/payments/fareStep'
import { subtractAmount } from '~/domain/money/money'
import { isChargeable } from '~/domain/payments/chargeLimits'
import { advanceBooking } from '~/src/features/bookings/bookings'
import {
  ProviderList,
  ProviderProblem,
  usePaymentMethods,
} from '~/src/features/payments/ProviderList'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useProviderPayment } from '~/src/features/payments/useProviderPayment'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, Checkbox } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/states'
import { Refusal } from '~/src/ui/forms/Refusal'
import css from './PaymentDialog.module.css'
import { type AppliedPromo, PromoField } from './PromoField'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { PaymentMode } from '~/domain/booking/types'

interface PossibleModes {
  hasCard: boolean
  /** True when a provider can charge the amount due. */
  canCharge: boolean
  hasEnoughInWallet: boolean
  hasProvidersResponse: boolean
}

/**
 * Returns the method to preselect. Returns null while the providers decide it, so that the
 * selection never changes under the user's finger, and when nothing is possible.
 */
const findFirstMode = (
  { hasCard, canCharge, hasEnoughInWallet, hasProvidersResponse }: PossibleModes,
  isAfterTrip: boolean,
  preferred: PaymentMode | undefined,
): PaymentMode | null => {
  if (isAfterTrip) {
    if (canCharge) return 'card'
    return hasProvidersResponse && hasEnoughInWallet ? 'wallet' : null
  }
  if (preferred === 'wallet' && hasEnoughInWallet) return 'wallet'
  if (preferred !== 'card') return 'cash'
  if (!hasProvidersResponse) return null
  return hasCard ? 'card' : 'cash'
}

/**
 * Asks for a promo, then cash, wallet or a payment provider for one booking. Once the booking has
 * ended, the driver collects cash, so the dialog offers only methods that pay at once.
 */
export const PaymentDialog = ({
  bookingId,
  isAfterTrip = false,
  owed,
  intro,
  preferred,
  onPaid,
  onClose,
}: {
  bookingId: string
  isAfterTrip?: boolean
  /** The remaining amount without a promo, in the settings' currency. */
  owed: number
  intro?: string
  /** The method to preselect before the trip, if it is possible. */
  preferred?: PaymentMode | undefined
  onPaid: (answer: EndpointOutput<'advance_booking'>) => void
  onClose: () => void
}) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const name = useId()
  const balance = useAppSelector(selectProfile)?.walletBalance ?? 0
  const [chosen, setMode] = useState<PaymentMode | null>(null)
  const [isWalletUsed, setIsWalletUsed] = useState(false)
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const { busy, run } = useSingleRun({ isLast: true })
  const [refused, setRefused] = useState<DomainError | null>(null)

  const due = promo?.quote.due ?? owed
  const { providers, message, error } = usePaymentMethods()
  const hasCard = providers.length > 0
  const hasProvidersResponse = hasCard || message !== null || error.flag
  const hasEnoughInWallet = balance >= due
  const canCharge = providers.some((each) => isChargeable(due, each))
  const first = findFirstMode(
    { hasCard, canCharge, hasEnoughInWallet, hasProvidersResponse },
    isAfterTrip,
    preferred,
  )
  // Without its promo a booking may cost more than the wallet has.
  const isImpossible =
    (chosen === 'card' && !hasCard) || (chosen === 'wallet' && !hasEnoughInWallet)
  const mode = isImpossible ? first : (chosen ?? first)
  const { settings } = useLive(liveSettings)
  const walletPart = settings ? getWalletPart(due, balance, settings) : 0
  const fromWallet = mode !== 'wallet' && isWalletUsed ? walletPart : 0
  const rest = subtractAmount(due, fromWallet, settings?.decimal ?? 2)
  const checkout = useProviderPayment(rest)
  const pay = () => {
    if (mode === null) return
    setRefused(null)
    const sources = {
      booking_id: bookingId,
      ...(promo && { promo: promo.id }),
      ...(fromWallet > 0 && { usedWalletMoney: fromWallet }),
    }
    // When the wallet covers everything, no provider is needed.
    if (mode === 'card' && rest > 0) {
      void checkout.pay({ payment_mode: 'card', ...sources })
      return
    }
    const payment_mode = mode === 'card' ? 'wallet' : mode
    const payment = { event: 'pay', payment_mode, ...sources } as const
    run(() => dispatch(advanceBooking.quiet(payment)).unwrap().then(onPaid)).catch(setRefused)
  }
  const cash = {
    value: 'cash',
    icon: 'cash',
    label: t('payment_cash'),
    hint: t('payment_cash_hint'),
  } as const
  const wallet = {
    value: 'wallet',
    icon: 'wallet',
    label: t('payment_wallet'),
    hint: t(hasEnoughInWallet ? 'payment_wallet_hint' : 'payment_wallet_low', {
      balance: format.money(balance),
    }),
  } as const
  const card = {
    value: 'card',
    icon: 'shield',
    label: t('payment_card'),
    hint: t('payment_card_hint'),
  } as const
  const modes = isAfterTrip
    ? [...(hasCard ? [card] : []), wallet]
    : [cash, wallet, ...(hasCard ? [card] : [])]
  const canPay = mode !== null || !hasProvidersResponse
  const problem = refused ?? checkout.refused
  const dialog = (
    <Dialog
      title={t('payment_title')}
      onClose={onClose}
      problem={<Refusal error={problem} />}
      actions={
        <>
          <Button onClick={onClose}>{t(canPay ? 'payment_later' : 'close')}</Button>
          {canPay && (
            <Button
              variant="accent"
              size="large"
              busy={busy || checkout.busy || mode === null}
              disabled={mode === 'card' && rest > 0 && !checkout.provider}
              onClick={pay}
            >
              {mode === 'cash' && rest > 0
                ? t('payment_pay_cash', { price: format.money(rest) })
                : t('payment_pay', { price: format.money(rest > 0 ? rest : due) })}
            </Button>
          )}
        </>
      }
    >
      {intro && <p>{intro}</p>}
      <PromoField
        bookingId={bookingId}
        applied={promo}
        onApplied={(applied) => {
          setPromo(applied)
          setRefused(null)
        }}
      />
      {promo && (
        <dl className={css.sums} aria-live="polite">
          <div>
            <dt>{t('trip_cost')}</dt>
            <dd>
              <Money amount={owed} />
            </dd>
          </div>
          <div>
            <dt>{t('discount')}</dt>
            <dd>
              <Money amount={-promo.quote.packet.discount_amount} />
            </dd>
          </div>
          <div>
            <dt>{t('payment_due')}</dt>
            <dd>
              <strong>
                <Money amount={due} />
              </strong>
            </dd>
          </div>
        </dl>
      )}
      {!hasProvidersResponse && isAfterTrip && <SkeletonLines lines={1} height="4rem" />}
      <fieldset className={css.modes}>
        <legend className="visually-hidden">{t('payment_mode')}</legend>
        {modes.map(({ value, icon, label, hint }) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              checked={mode === value}
              disabled={value === 'wallet' && !hasEnoughInWallet}
              onChange={() => setMode(value)}
            />
            <Icon name={icon} size={26} />
            <span>
              <strong>{label}</strong> <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {!hasProvidersResponse && !isAfterTrip && <SkeletonLines lines={1} height="4rem" />}
      {(mode === 'cash' || mode === 'card') && walletPart > 0 && (
        <Checkbox
          label={t('payment_part_wallet', { amount: format.money(walletPart) })}
          checked={isWalletUsed}
          onChange={({ target }) => setIsWalletUsed(target.checked)}
        />
      )}
      {mode === 'card' && rest > 0 ? (
        <ProviderList
          amount={rest}
          instead={t(fromWallet > 0 ? 'provider_amount_rest' : 'provider_amount_none', {
            amount: format.money(rest),
          })}
        />
      ) : (
        <ProviderProblem />
      )}
      {isAfterTrip && (
        <p className={css.note}>
          {canPay ? t('payment_cash_driver') : t('payment_cash_only', { price: format.money(due) })}
        </p>
      )}
    </Dialog>
  )
  // Rendered outside the booking form, because forms cannot nest.
  return createPortal(dialog, document.body)
}
