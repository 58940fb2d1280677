import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentProvider } from '~/domain/entities'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { SkeletonLines } from '~/src/ui/states'
import { fetchPaymentMethods, providerSelected, selectPaymentMethods } from './payments'
import css from './ProviderList.module.css'
import { ProviderLogo, providerName } from './ProviderLogo'
import { usePaymentTexts } from './texts'

/** The provider chosen in a ProviderList; null while there is none. */
export const useSelectedProvider = (): PaymentProvider | null => {
  const { providers, selected } = useAppSelector(selectPaymentMethods)
  return providers[selected] ?? null
}

/** Asks for the providers once a session, when somebody first wants to pay. */
export const usePaymentMethods = () => {
  const dispatch = useAppDispatch()
  const methods = useAppSelector(selectPaymentMethods)
  const { providers, message, loading, error } = methods
  const isKnown = providers.length > 0 || message !== null || loading || error.flag
  useEffect(() => {
    if (!isKnown) void dispatch(fetchPaymentMethods())
  }, [isKnown, dispatch])
  return methods
}

/** The payment providers as a choice: sign, name, and what happens next. */
export const ProviderList = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const name = useId()
  const { providers, selected, message, loading, error } = usePaymentMethods()
  if (error.flag)
    return (
      <p role="alert" className={css.missing}>
        {t('providers_failed')}{' '}
        <Button size="small" onClick={() => void dispatch(fetchPaymentMethods())}>
          {t('try_again')}
        </Button>
      </p>
    )
  if (message) return <p className={css.missing}>{t('providers_none')}</p>
  if (loading || providers.length === 0) return <SkeletonLines lines={1} height="4rem" />
  return (
    <fieldset className={css.providers}>
      <legend>{t('pay_by')}</legend>
      {providers.map((provider, index) => (
        <label key={provider.name}>
          <input
            type="radio"
            name={name}
            checked={index === selected}
            onChange={() => dispatch(providerSelected(index))}
          />
          <ProviderLogo name={provider.name} />
          <span>{providerName(provider.name) ?? t('provider_test')}</span>
        </label>
      ))}
      <p>{t('provider_hint')}</p>
    </fieldset>
  )
}
