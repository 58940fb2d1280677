import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { ProviderList } from './ProviderList'
import { usePaymentTexts } from './texts'
import css from './TopUp.module.css'
import { usePayByProvider } from './usePayByProvider'

/** Puts money into one's own wallet by a payment provider. */
export const TopUp = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const format = useFormat()
  const { pay, busy, refused, provider } = usePayByProvider()
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
      <ProviderList />
      {refused && !isAboutAmount && <p role="alert">{t(refused.key, refused.params ?? {})}</p>}
      <Button type="submit" look="accent" size="large" busy={busy} disabled={!provider}>
        {isGood ? t('topup_do', { amount: format.money(amount) }) : t('topup_title')}
      </Button>
    </form>
  )
}
