import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/api/errors'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { buildCheckoutFields, addLanguageToLink, submitCheckoutForm } from './checkout'
import { type PaymentPurpose, startPayment } from './payments'
import { useSelectedProvider } from './ProviderList'
import { useSingleRun } from '~/src/ui/useSingleRun'

/**
 * Pays an amount through the chosen provider: starts the attempt, then leaves for the provider's
 * page. `busy` stays true until the browser has left; a refusal stays on the page.
 */
export const useProviderPayment = (amount: number | null) => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const provider = useSelectedProvider(amount)
  const { busy, run } = useSingleRun({ isLast: true })
  const [refused, setRefused] = useState<DomainError | null>(null)
  const pay = async (purpose: PaymentPurpose) => {
    if (!profile || !provider) {
      setRefused(domainError('not_found', 'provider'))
      return
    }
    setRefused(null)
    await run(async () => {
      const started = await dispatch(
        startPayment.quiet({ ...purpose, provider: provider.name }),
      ).unwrap()
      const product = purpose.payment_mode === 'topup' ? t('topup_title') : t('booking')
      const page = addLanguageToLink(i18n.language, provider.link, profile)
      submitCheckoutForm(page, buildCheckoutFields(started, profile, product))
    }).catch((error: unknown) => setRefused(error as DomainError))
  }
  return { pay, busy, refused, provider }
}
