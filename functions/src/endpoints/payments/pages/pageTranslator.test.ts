import { describe, expect, it, test } from 'vitest'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { start_payment } from '../startPayment'
import { aProject, createUserContext } from '../../../testing/testPorts'
import { translatorFor } from './pageTranslator'
import { createTestPayments, aWebhookRequest } from '../../../testing/fakeProvider'
import { ar } from '~/domain/payments/pageTexts/ar'
import { de } from '~/domain/payments/pageTexts/de'
import { en } from '~/domain/payments/pageTexts/en'
import { es } from '~/domain/payments/pageTexts/es'
import { fr } from '~/domain/payments/pageTexts/fr'
import { he } from '~/domain/payments/pageTexts/he'
import { hi } from '~/domain/payments/pageTexts/hi'
import { pt } from '~/domain/payments/pageTexts/pt'
import { handleCheckout, handleReturn } from './paymentRequests'

const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort()

describe('the texts of hosted pages', () => {
  test.each(Object.entries({ es, pt, fr, de, hi, ar, he }))(
    'translate every English text into %s, with the same placeholders',
    (_, texts) => {
      for (const [key, text] of Object.entries(en)) {
        const result = texts[key as keyof typeof en]
        expect(blanks(result), key).toEqual(blanks(text))
        if (!['code', 'card_expiry_form'].includes(key)) expect(result, key).not.toBe(text)
      }
    },
  )
})

describe('the language of a hosted page', () => {
  it.each([
    [['he', 'de'], 'he'],
    [['pt-BR'], 'pt'],
    [['xx', null, 'sv;q=0.9, fr-CH;q=0.8, en;q=0.5'], 'fr'],
    [['__proto__', undefined, ''], 'en'],
    [[], 'en'],
  ])('is the first known one of %j: %s', (wanted, locale) => {
    expect(translatorFor(...wanted).locale).toBe(locale)
  })
  it.each([
    ['en', 'UYU', 'UYU 1,234.50'],
    ['de', 'UYU', '1.234,50 UYU'],
    ['pt', 'UYU', 'UYU 1.234,50'],
    ['hi', 'JPY', 'JPY 1,23,450'],
    ['en', 'KWD', 'KWD 123.450'],
  ])('%s formats money in %s as %s', (locale, currency, text) => {
    expect(translatorFor(locale).formatMoney(123_450, currency)).toBe(text)
  })

  it('keeps names and numbers together in right-to-left text', () => {
    const booking = { app: 'Kerbside', booking: '-mwpd1' }
    expect(translatorFor('en').t('for_booking', booking)).toBe('Kerbside: booking -mwpd1')
    expect(translatorFor('he').t('for_booking', booking)).toContain('\u2068-mwpd1\u2069')
  })

  const openPage = async (
    { lang, query, accepted }: { lang?: string; query?: string; accepted?: string },
    order?: string,
  ) => {
    const { users } = aProject()
    const rider = { ...aRider(), ...(lang && { lang: { langLocale: lang, dateLocale: lang } }) }
    const waiting = aBooking({ status: 'PAYMENT_PENDING' })
    const payments = createTestPayments({
      users: { ...users, rider },
      bookings: { [waiting.id]: waiting },
      settings: aSettings({ appName: 'Kerbside' }),
    })
    const wanted = { payment_mode: 'card', provider: 'test', booking_id: waiting.id } as const
    const started = await start_payment.handle(
      wanted,
      createUserContext('rider', 'rider', payments),
    )
    const { payment_id: order_id } = started as { payment_id: string }
    const { response } = await handleCheckout(
      payments,
      'test',
      aWebhookRequest({
        body: new URLSearchParams({ order_id: order ?? order_id, cust_id: 'rider' }).toString(),
        query: new URLSearchParams(query ? { lang: query } : {}),
        headers: accepted ? { 'accept-language': accepted } : {},
      }),
      payments.now,
    )
    return response.body
  }
  it('is the payer’s own, right to left when the language requires it', async () => {
    const body = await openPage({ lang: 'ar', accepted: 'de' })
    expect(body).toContain('<html lang="ar" dir="rtl">')
    expect(body).toContain(ar.test_title)
    expect(body).toContain('pay_test?lang=ar')
  })
  it('is the app’s language when that differs', async () => {
    const body = await openPage({ lang: 'ar', query: 'fr' })
    expect(body).toContain('<html lang="fr" dir="ltr">')
    expect(body).toContain('pay_test?lang=fr')
  })
  it('is the browser’s language when no other preference is known', async () => {
    expect(await openPage({ accepted: 'es-UY,es;q=0.9' })).toContain(es.test_note)
    const refused = await openPage({ accepted: 'he' }, 'no-such-payment')
    expect(refused).toContain(he.gone_title)
    expect(refused).toContain('dir="rtl"')
    const { response } = await handleReturn(
      createTestPayments(),
      aWebhookRequest({ path: '/test', headers: { 'accept-language': 'pt' } }),
    )
    expect(response.body).toContain(pt.gone_title)
  })
})
