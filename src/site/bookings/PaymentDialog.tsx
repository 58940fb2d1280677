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
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, Checkbox } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Money, useFormat } from '~/src/ui/format/format'
import { Icon, type IconName } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/feedback/states'
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

interface Props {
  bookingId: string
  isAfterTrip?: boolean
  /** The remaining amount without a promo, in the settings' currency. */
  owed: number
  intro?: string
  /** The method to preselect before the trip, if it is possible. */
  preferred?: PaymentMode | undefined
  onPaid: (response: EndpointOutput<'advance_booking'>) => void
  onClose: () => void
}

/** Holds the chosen method, and the part that the wallet pays. */
const usePaymentChoice = (due: number, { isAfterTrip = false, preferred }: Props) => {
  const balance = useAppSelector(selectProfile)?.walletBalance ?? 0
  const { settings } = useLive(liveSettings)
  const [chosenMode, setChosenMode] = useState<PaymentMode | null>(null)
  const [isWalletUsed, setIsWalletUsed] = useState(false)
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
    (chosenMode === 'card' && !hasCard) || (chosenMode === 'wallet' && !hasEnoughInWallet)
  const mode = isImpossible ? first : (chosenMode ?? first)
  const walletPart = settings ? getWalletPart(due, balance, settings) : 0
  const fromWallet = mode !== 'wallet' && isWalletUsed ? walletPart : 0
  return {
    mode,
    setChosenMode,
    balance,
    hasCard,
    hasEnoughInWallet,
    hasProvidersResponse,
    canPay: mode !== null || !hasProvidersResponse,
    walletPart,
    isWalletUsed,
    setIsWalletUsed,
    fromWallet,
    /** The rest, for cash or a provider. */
    rest: subtractAmount(due, fromWallet, settings?.decimal ?? 2),
  }
}
type Choice = ReturnType<typeof usePaymentChoice>

/** Pays the booking in the chosen way. */
const usePayment = (
  { bookingId, onPaid }: Props,
  { mode, rest, fromWallet }: Choice,
  promo: AppliedPromo | null,
) => {
  const dispatch = useAppDispatch()
  const { busy, run } = useSingleRun({ isLast: true })
  const [refused, setRefused] = useState<DomainError | null>(null)
  const checkout = useProviderPayment(rest)
  const isProviderNeeded = mode === 'card' && rest > 0
  const pay = () => {
    if (mode === null) return
    setRefused(null)
    const sources = {
      booking_id: bookingId,
      ...(promo && { promo: promo.id }),
      ...(fromWallet > 0 && { usedWalletMoney: fromWallet }),
    }
    // When the wallet covers everything, no provider is needed.
    if (isProviderNeeded) {
      void checkout.pay({ payment_mode: 'card', ...sources })
      return
    }
    const payment_mode = mode === 'card' ? 'wallet' : mode
    const payment = { event: 'pay', payment_mode, ...sources } as const
    run(() => dispatch(advanceBooking.quiet(payment)).unwrap().then(onPaid)).catch(setRefused)
  }
  return {
    pay,
    isBusy: busy || checkout.busy || mode === null,
    isProviderMissing: isProviderNeeded && !checkout.provider,
    refused: refused ?? checkout.refused,
    clearRefusal: () => setRefused(null),
  }
}

/** Shows the price, the discount of a promo and what is left to pay. */
const DiscountSums = ({ owed, due, promo }: { owed: number; due: number; promo: AppliedPromo }) => {
  const { t } = useTranslation()
  return (
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
  )
}

const MODE_ICONS = {
  cash: 'cash',
  wallet: 'wallet',
  card: 'shield',
} as const satisfies Record<PaymentMode, IconName>

/** Offers the methods that are possible. */
const ModeChoice = ({ choice, isAfterTrip }: { choice: Choice; isAfterTrip: boolean }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const name = useId()
  const { mode, hasCard, hasEnoughInWallet } = choice
  const modes: PaymentMode[] = isAfterTrip
    ? [...(hasCard ? (['card'] as const) : []), 'wallet']
    : ['cash', 'wallet', ...(hasCard ? (['card'] as const) : [])]
  const hints = {
    cash: t('payment_cash_hint'),
    wallet: t(hasEnoughInWallet ? 'payment_wallet_hint' : 'payment_wallet_low', {
      balance: format.money(choice.balance),
    }),
    card: t('payment_card_hint'),
  }
  return (
    <fieldset className={css.modes}>
      <legend className="visually-hidden">{t('payment_mode')}</legend>
      {modes.map((value) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={mode === value}
            disabled={value === 'wallet' && !hasEnoughInWallet}
            onChange={() => choice.setChosenMode(value)}
          />
          <Icon name={MODE_ICONS[value]} size={26} />
          <span>
            <strong>{t(`payment_${value}`)}</strong> <small>{hints[value]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** Asks how to pay: the method, the part of the wallet, and the provider of the rest. */
const PaymentFields = ({
  choice,
  isAfterTrip,
  due,
}: {
  choice: Choice
  isAfterTrip: boolean
  due: number
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { mode, walletPart, rest, hasProvidersResponse } = choice
  const amount = format.money(rest)
  return (
    <>
      {!hasProvidersResponse && isAfterTrip && <SkeletonLines lines={1} height="4rem" />}
      <ModeChoice choice={choice} isAfterTrip={isAfterTrip} />
      {!hasProvidersResponse && !isAfterTrip && <SkeletonLines lines={1} height="4rem" />}
      {(mode === 'cash' || mode === 'card') && walletPart > 0 && (
        <Checkbox
          label={t('payment_part_wallet', { amount: format.money(walletPart) })}
          checked={choice.isWalletUsed}
          onChange={({ target }) => choice.setIsWalletUsed(target.checked)}
        />
      )}
      {mode === 'card' && rest > 0 ? (
        <ProviderList
          amount={rest}
          instead={t(choice.fromWallet > 0 ? 'provider_amount_rest' : 'provider_amount_none', {
            amount,
          })}
        />
      ) : (
        <ProviderProblem />
      )}
      {isAfterTrip && (
        <p className={css.note}>
          {choice.canPay
            ? t('payment_cash_driver')
            : t('payment_cash_only', { price: format.money(due) })}
        </p>
      )}
    </>
  )
}

/**
 * Asks for a promo, then cash, wallet or a payment provider for one booking. Once the booking has
 * ended, the driver collects cash, so the dialog offers only methods that pay at once.
 */
export const PaymentDialog = (props: Props) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const { bookingId, isAfterTrip = false, owed, intro, onClose } = props
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const due = promo?.quote.due ?? owed
  const choice = usePaymentChoice(due, props)
  const payment = usePayment(props, choice, promo)
  const { mode, rest, canPay } = choice
  const dialog = (
    <Dialog
      title={t('payment_title')}
      onClose={onClose}
      problem={<Refusal error={payment.refused} />}
      actions={
        <>
          <Button onClick={onClose}>{t(canPay ? 'payment_later' : 'close')}</Button>
          {canPay && (
            <Button
              variant="accent"
              size="large"
              busy={payment.isBusy}
              disabled={payment.isProviderMissing}
              onClick={payment.pay}
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
          payment.clearRefusal()
        }}
      />
      {promo && <DiscountSums owed={owed} due={due} promo={promo} />}
      <PaymentFields choice={choice} isAfterTrip={isAfterTrip} due={due} />
    </Dialog>
  )
  // Rendered outside the booking form, because forms cannot nest.
  return createPortal(dialog, document.body)
}
