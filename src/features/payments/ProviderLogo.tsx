import type { TFunction } from 'i18next'
import type { ProviderId } from '~/domain/payments/providers'

/**
 * Each provider's own spelling of its name, and a simple logo: a figure on a tile in its own color.
 * The logos are not trademarks; the name beside one identifies the provider. The test provider has
 * a translated name.
 */
const PROVIDERS: Readonly<Record<ProviderId, { name?: string; tile: string; figure: string }>> = {
  paypal: {
    name: 'PayPal',
    tile: '#2b4a8b',
    figure: 'M15 10h6a5 5 0 0 1 0 10h-4v6M19 14h6a5 5 0 0 1 0 10h-4v6',
  },
  braintree: {
    name: 'Braintree',
    tile: '#39424e',
    figure: 'M20 10v20M20 16l-7-4M20 16l7-4M20 23l-7-4M20 23l7-4',
  },
  stripe: { name: 'Stripe', tile: '#5148c7', figure: 'M11 26 29 18M11 20l18-8M11 31l18-8' },
  paytm: { name: 'Paytm', tile: '#0a6ea8', figure: 'M10 14h20v12H10zM10 19h20M14 23h5' },
  payulatam: {
    name: 'PayU',
    tile: '#3f7d20',
    figure: 'M11 12v8a9 9 0 0 0 18 0v-8M16 12v8a4 4 0 0 0 8 0v-8',
  },
  flutterwave: {
    name: 'Flutterwave',
    tile: '#b26a00',
    figure: 'M9 24c4-10 8 6 11-3s7-6 11-9M9 29c6-4 12 2 22-6',
  },
  paystack: { name: 'Paystack', tile: '#0b7a96', figure: 'M11 12h18M11 17h18M11 22h12M11 27h18' },
  securepay: {
    name: 'SecurePay',
    tile: '#8a2430',
    figure: 'M20 9 30 13v7c0 6-4 9-10 11-6-2-10-5-10-11v-7l10-4Z',
  },
  payfast: { name: 'Payfast', tile: '#b3261e', figure: 'M22 8 12 22h7l-2 10 11-15h-7l1-9Z' },
  liqpay: { name: 'LiqPay', tile: '#5c7f00', figure: 'M12 10l8 10-8 10M20 10l8 10-8 10' },
  culqi: { name: 'Culqi', tile: '#00766c', figure: 'M28 13a10 10 0 1 0 0 14M28 20h-6' },
  mercadopago: {
    name: 'Mercado Pago',
    tile: '#0070a8',
    figure: 'M8 20c4-6 8-6 12-2 4-4 8-4 12 2M12 22l8 8 8-8',
  },
  test: { tile: '#56645e', figure: 'M16 9h8M18 9v8l-7 12h18l-7-12V9M14 25h12' },
}
const UNKNOWN_LOGO = { tile: '#56645e', figure: 'M10 13h20v14H10zM10 18h20' }

const findProvider = (id: string) =>
  Object.hasOwn(PROVIDERS, id) ? PROVIDERS[id as ProviderId] : undefined

export const ProviderLogo = ({ name, size = 40 }: { name: string; size?: number }) => {
  const { tile, figure } = findProvider(name) ?? UNKNOWN_LOGO
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="9" fill={tile} />
      <path
        d={figure}
        fill="none"
        stroke="#fff"
        strokeWidth="2.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** Returns the name of a provider; the id of one that this release does not know. */
export const getProviderName = (id: string, t: TFunction): string =>
  id === 'test' ? t('provider_test') : (findProvider(id)?.name ?? id)
