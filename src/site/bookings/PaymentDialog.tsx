import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BookingAnswer } from '~/domain/api'
import type { Refusal } from '~/domain/errors'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import css from './PaymentDialog.module.css'

/** Cash or wallet for one booking. */
export const PaymentDialog = ({
  bookingId,
  amount,
  intro,
  onPaid,
  onClose,
}: {
  bookingId: string
  amount: number
  intro?: string
  onPaid: (answer: BookingAnswer) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const name = useId()
  const balance = useAppSelector(selectProfile)?.walletBalance ?? 0
  const [mode, setMode] = useState<'cash' | 'wallet'>('cash')
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const pay = () => {
    setBusy(true)
    setRefused(null)
    dispatch(
      advanceBooking({ booking_id: bookingId, event: 'pay', payment_mode: mode, quiet: true }),
    )
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
  ] as const
  return (
    <Dialog
      title={t('payment_title')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('payment_later')}</Button>
          <Button look="accent" size="large" busy={busy} onClick={pay}>
            {t('payment_pay', { price: format.money(amount) })}
          </Button>
        </>
      }
    >
      {intro && <p>{intro}</p>}
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
      {refused && (
        <p className={css.refused} role="alert">
          <Icon name="warning" />
          {t(refused.key, refused.params ?? {})}
        </p>
      )}
    </Dialog>
  )
}
