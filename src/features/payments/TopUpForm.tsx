import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { ProviderList } from './ProviderList'
import { usePaymentTexts } from './paymentTexts'
import css from './TopUpForm.module.css'
import { useProviderPayment } from './useProviderPayment'

/**
 * Tops up the user's own wallet through a payment provider, with an offered amount or any other.
 */
export const TopUpForm = ({ offered }: { offered: readonly number[] }) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const { pay, busy, refused, provider } = useProviderPayment()
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const amount = Number(text.replace(',', '.'))
  const isGood = text.trim() !== '' && Number.isFinite(amount) && amount > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isGood) void pay({ payment_mode: 'topup', amount })
  }
  const isAboutAmount = refused?.field === 'amount'
  const problem = (isTried && !isGood) || isAboutAmount ? t('topup_amount_missing') : undefined
  return (
    <form className={css.form} noValidate onSubmit={submit}>
      <TextInput
        label={t('topup_amount')}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={problem}
        onChange={({ target }) => setText(target.value)}
      />
      {offered.length > 0 && (
        <div className={css.offered} role="group" aria-label={t('topup_offered')}>
          {offered.map((offer) => (
            <Button
              key={offer}
              size="small"
              aria-pressed={isGood && amount === offer}
              onClick={() => setText(String(offer))}
            >
              {format.money(offer)}
            </Button>
          ))}
        </div>
      )}
      <ProviderList />
      {refused && !isAboutAmount && <p role="alert">{t(refused.key, refused.params ?? {})}</p>}
      <Button type="submit" variant="accent" size="large" busy={busy} disabled={!provider}>
        {isGood ? t('topup_do', { amount: format.money(amount) }) : t('topup_title')}
      </Button>
    </form>
  )
}
