import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isChargeable } from '~/domain/payments/chargeLimits'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { SkeletonLines } from '~/src/ui/feedback/states'
import {
  fetchPaymentMethods,
  loadPaymentMethods,
  providerSelected,
  selectPaymentMethods,
} from './payments'
import css from './ProviderList.module.css'
import { ProviderLogo, getProviderName } from './ProviderLogo'
import { usePaymentTexts } from './paymentTexts'
import type { PaymentProvider } from '~/domain/payments/types'

/** Returns the providers that can charge the amount; null keeps all. */
const filterChargeable = (providers: PaymentProvider[], amount: number | null) =>
  amount === null ? providers : providers.filter((provider) => isChargeable(amount, provider))

/**
 * Returns the provider chosen in a ProviderList for the amount, or the first that can charge it, or
 * null without one.
 */
export const useSelectedProvider = (amount: number | null): PaymentProvider | null => {
  const { providers, selected } = useAppSelector(selectPaymentMethods)
  const offered = filterChargeable(providers, amount)
  const selectedProvider = providers[selected]
  return selectedProvider && offered.includes(selectedProvider)
    ? selectedProvider
    : (offered[0] ?? null)
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

/**
 * Renders the payment providers that can charge the amount as a choice, with logo, name and what
 * happens next. Renders `instead` when none of them can.
 */
export const ProviderList = ({
  amount,
  instead,
}: {
  /** Null: every amount. */
  amount: number | null
  instead?: string
}) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const name = useId()
  const { providers, message, error } = usePaymentMethods()
  const selectedProvider = useSelectedProvider(amount)
  if (error.flag || message) return <ProviderProblem />
  if (providers.length === 0) return <SkeletonLines lines={1} height="4rem" />
  if (!selectedProvider) return <p role="status">{instead}</p>
  return (
    <fieldset className={css.providers}>
      <legend>{t('pay_by')}</legend>
      {filterChargeable(providers, amount).map((provider) => (
        <label key={provider.name}>
          <input
            type="radio"
            name={name}
            checked={provider === selectedProvider}
            onChange={() => dispatch(providerSelected(providers.indexOf(provider)))}
          />
          <ProviderLogo name={provider.name} />
          <span>{getProviderName(provider.name, t)}</span>
        </label>
      ))}
      <p>{t('provider_hint')}</p>
    </fieldset>
  )
}
