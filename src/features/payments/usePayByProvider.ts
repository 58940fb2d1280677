import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Refusal, refusal } from '~/domain/errors'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { checkoutFields, linkIn, postCheckout } from './checkout'
import { type Purpose, startPayment } from './payments'
import { useSelectedProvider } from './ProviderList'

/**
 * Pays by the chosen provider: begins the attempt, then leaves for the provider's page. `busy` stays until the browser has
 * left; a refusal stays on the page.
 */
export const usePayByProvider = () => {
  const { t, i18n } = useTranslation()
  const dispatch = useAppDispatch()
  const profile = useAppSelector(selectProfile)
  const provider = useSelectedProvider()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const pay = async (purpose: Purpose) => {
    if (!profile || !provider) {
      setRefused(refusal('not_found', 'provider'))
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      const input = { ...purpose, provider: provider.name, quiet: true }
      const started = await dispatch(startPayment(input)).unwrap()
      const product = purpose.payment_mode === 'topup' ? t('topup_title') : t('booking')
      const page = linkIn(i18n.language, provider.link, profile)
      postCheckout(page, checkoutFields(started, profile, product))
    } catch (error) {
      setRefused(error as Refusal)
      setBusy(false)
    }
  }
  return { pay, busy, refused, provider }
}
