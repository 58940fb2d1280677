import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaymentProvider } from '~/domain/entities'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { SkeletonLines } from '~/src/ui/states'
import {
  fetchPaymentMethods,
  loadPaymentMethods,
  providerSelected,
  selectPaymentMethods,
} from './payments'
import css from './ProviderList.module.css'
import { ProviderLogo, getProviderName } from './ProviderLogo'
import { usePaymentTexts } from './paymentTexts'

/** Returns the provider chosen in a ProviderList, or null without one. */
export const useSelectedProvider = (): PaymentProvider | null => {
  const { providers, selected } = useAppSelector(selectPaymentMethods)
  return providers[selected] ?? null
}

/**
 * Loads the providers when a user wants to pay, and retries until there are some; the session keeps
 * them.
 */
export const usePaymentMethods = () => {
  const dispatch = useAppDispatch()
  useEffect(() => dispatch(loadPaymentMethods()), [dispatch])
  return useAppSelector(selectPaymentMethods)
}

/**
 * Explains why there is no provider, with a retry button; renders nothing while one exists or the
 * list is loading.
 */
export const ProviderProblem = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { message, loading, error } = useAppSelector(selectPaymentMethods)
  if (!error.flag && !message) return null
  return (
    <p role="alert" className={css.missing}>
      {error.flag ? t('provider_fetch_error', { reason: t(error.msg ?? '') }) : t(message ?? '')}{' '}
      <Button
        size="small"
        busy={loading}
        onClick={() => void dispatch(fetchPaymentMethods.quiet())}
      >
        {t('try_again')}
      </Button>
    </p>
  )
}

/** Renders the payment providers as a choice, with logo, name and what happens next. */
export const ProviderList = () => {
  usePaymentTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const name = useId()
  const { providers, selected, message, error } = usePaymentMethods()
  if (error.flag || message) return <ProviderProblem />
  if (providers.length === 0) return <SkeletonLines lines={1} height="4rem" />
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
          <span>{getProviderName(provider.name) ?? t('provider_test')}</span>
        </label>
      ))}
      <p>{t('provider_hint')}</p>
    </fieldset>
  )
}
