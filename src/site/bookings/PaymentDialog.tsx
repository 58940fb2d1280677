import { useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { BookingAnswer } from '~/domain/api'
import type { Refusal } from '~/domain/errors'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { ProviderList, usePaymentMethods } from '~/src/features/payments/ProviderList'
import { usePaymentTexts } from '~/src/features/payments/texts'
import { usePayByProvider } from '~/src/features/payments/usePayByProvider'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button, Checkbox } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import css from './PaymentDialog.module.css'
import { type AppliedPromo, PromoField } from './PromoField'

/** Promo, then cash, wallet or a payment provider, for one booking. */
export const PaymentDialog = ({
  bookingId,
  owed,
  intro,
  onPaid,
  onClose,
}: {
  bookingId: string
  /** What is left to pay without a promo, in the settings' currency. */
  owed: number
  intro?: string
  onPaid: (answer: BookingAnswer) => void
  onClose: () => void
}) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const name = useId()
  const balance = useAppSelector(selectProfile)?.walletBalance ?? 0
  const [mode, setMode] = useState<'cash' | 'wallet' | 'card'>('cash')
  const [withWallet, setWithWallet] = useState(false)
  const [promo, setPromo] = useState<AppliedPromo | null>(null)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)

  const due = promo?.quote.due ?? owed
  const { providers } = usePaymentMethods()
  const checkout = usePayByProvider()
  const fromWallet = mode !== 'wallet' && withWallet ? Math.min(Math.max(0, balance), due) : 0
  const pay = () => {
    setRefused(null)
    const sources = {
      booking_id: bookingId,
      ...(promo && { promo: promo.id }),
      ...(fromWallet > 0 && { usedWalletMoney: fromWallet }),
    }
    // With nothing left for the card, there is nothing to send anybody to a provider for.
    if (mode === 'card' && fromWallet < due) {
      void checkout.pay({ payment_mode: 'card', ...sources })
      return
    }
    setBusy(true)
    const payment_mode = mode === 'card' ? 'wallet' : mode
    dispatch(advanceBooking({ event: 'pay', payment_mode, ...sources, quiet: true }))
      .unwrap()
      .then(onPaid, (error: Refusal) => {
        setRefused(error)
        setBusy(false)
      })
  }
  const modes = [
    { value: 'cash', icon: 'cash', label: t('payment_cash'), hint: t('payment_cash_hint') },
    {
      value: 'wallet',
      icon: 'wallet',
      label: t('payment_wallet'),
      hint: t('payment_wallet_hint', { balance: format.money(balance) }),
    },
    ...(providers.length > 0
      ? [
          {
            value: 'card',
            icon: 'shield',
            label: t('payment_card'),
            hint: t('payment_card_hint'),
          } as const,
        ]
      : []),
  ] as const
  const problem = refused ?? checkout.refused
  const dialog = (
    <Dialog
      title={t('payment_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('payment_later')}</Button>
          <Button look="accent" size="large" busy={busy || checkout.busy} onClick={pay}>
            {t('payment_pay', { price: format.money(due) })}
          </Button>
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
      <fieldset className={css.modes}>
        <legend className="visually-hidden">{t('payment_mode')}</legend>
        {modes.map(({ value, icon, label, hint }) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              checked={mode === value}
              onChange={() => setMode(value)}
            />
            <Icon name={icon} size={26} />
            <span>
              <strong>{label}</strong>
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {mode !== 'wallet' && balance > 0 && (
        <Checkbox
          label={t('payment_part_wallet', { amount: format.money(Math.min(balance, due)) })}
          checked={withWallet}
          onChange={({ target }) => setWithWallet(target.checked)}
        />
      )}
      {mode === 'card' && <ProviderList />}
      {problem && (
        <p className={css.refused} role="alert">
          <Icon name="warning" />
          {t(problem.key, problem.params ?? {})}
        </p>
      )}
    </Dialog>
  )
  // Beside the booking form, within which no form of its own may stand.
  return createPortal(dialog, document.body)
}
