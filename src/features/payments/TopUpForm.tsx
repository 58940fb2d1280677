import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatLocaleNumber, parseLocaleNumber } from '~/domain/language/localeNumber'
import { findNearestCharges, isChargeable } from '~/domain/payments/chargeLimits'
import { translateError } from '~/src/i18n/errorTexts'
import { Button, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { useFieldUnit } from '~/src/ui/forms/fieldUnits'
import { ProviderList, usePaymentMethods } from './ProviderList'
import { usePaymentTexts } from './paymentTexts'
import css from './TopUpForm.module.css'
import { useProviderPayment } from './useProviderPayment'

/** Buttons for the amounts that the office suggests. */
const OfferedAmounts = ({
  amounts,
  chosenAmount,
  onChoose,
}: {
  amounts: readonly number[]
  chosenAmount: number | null
  onChoose: (amount: number) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={css.offered} role="group" aria-label={t('topup_offered')}>
      {amounts.map((amount) => (
        <Button
          key={amount}
          size="small"
          aria-pressed={chosenAmount === amount}
          onClick={() => onChoose(amount)}
        >
          {format.money(amount)}
        </Button>
      ))}
    </div>
  )
}

/**
 * Tops up the user's own wallet through a payment provider, with an offered amount or any other.
 */
export const TopUpForm = ({ offered }: { offered: readonly number[] }) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const unit = useFieldUnit('money')
  const { providers } = usePaymentMethods()
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const typed = parseLocaleNumber(text, format.locale)
  const amount = typeof typed === 'number' ? typed : 0
  const isGood = amount > 0
  const isPayable = (sum: number) =>
    providers.length === 0 || providers.some((each) => isChargeable(sum, each))
  const isChosenPayable = isGood && isPayable(amount)
  const chargedAmount = isChosenPayable ? amount : null
  const { pay, busy, refused, provider } = useProviderPayment(chargedAmount)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isChosenPayable) void pay({ payment_mode: 'topup', amount })
  }
  const isAboutAmount = refused?.field === 'amount'
  const getProblem = () => {
    if (isGood && !isChosenPayable)
      return t('topup_amount_nearest', {
        amounts: findNearestCharges(amount, providers).map(format.money).join(' · '),
      })
    if (refused?.key === 'amount_not_chargeable') return t(refused.key)
    return isGood && !isAboutAmount ? undefined : t('topup_amount_missing')
  }
  const problem = isTried || isAboutAmount ? getProblem() : undefined
  return (
    <form className={css.form} noValidate onSubmit={submit}>
      <TextInput
        label={t('topup_amount')}
        unit={unit}
        inputMode="decimal"
        autoComplete="off"
        value={text}
        error={problem}
        onChange={({ target }) => setText(target.value)}
      />
      {offered.length > 0 && (
        <OfferedAmounts
          amounts={offered.filter(isPayable)}
          chosenAmount={isGood ? amount : null}
          onChoose={(offer) => setText(formatLocaleNumber(offer, format.locale))}
        />
      )}
      <ProviderList amount={chargedAmount} />
      {refused && !isAboutAmount && <p role="alert">{translateError(refused, t)}</p>}
      <Button type="submit" variant="accent" size="large" busy={busy} disabled={!provider}>
        {isGood ? t('topup_do', { amount: format.money(amount) }) : t('topup_title')}
      </Button>
    </form>
  )
}
