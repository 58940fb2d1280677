import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodePolyline } from '~/domain/geo/polyline'
import { calculateIncludedTax, type OperatorDetails } from '~/domain/messages/operator'
import { aBooking, aSettings } from '~/domain/testing/builders'
import { buildReceipt } from './receipt'
import { createSpeech } from './speech'

const LOCALES = join(import.meta.dirname, '../../../../src/i18n/locales')
const readTexts = (locale: string): Record<string, string> =>
  Object.assign(
    {},
    ...['shared', 'inbox', 'office', 'site', 'payments'].map(
      (part) => JSON.parse(readFileSync(join(LOCALES, locale, `${part}.json`), 'utf8')) as object,
    ),
  ) as Record<string, string>
const ENGLISH = readTexts('en')
const english = createSpeech({ langLocale: 'en', dateLocale: 'en-GB', keyValuePairs: {} }, ENGLISH)
const arabic = createSpeech(
  { langLocale: 'ar', dateLocale: 'ar', keyValuePairs: readTexts('ar') },
  ENGLISH,
)
const settings = aSettings({
  appName: 'Acme',
  CompanyName: 'Acme Taxis & Sons',
  contact_email: 'office@acme.example',
  symbol: '$U',
  decimal: 2,
  timezone: 'UTC',
})
const line = (label: string, amount: number) => ({ label, amount })
const booking = aBooking({
  reference: 'K7M-4QX',
  status: 'PAID',
  startTime: Date.UTC(2026, 10, 20, 15),
  pickupAddress: 'Main St <1>',
  dropAddress: '"Port" & sea',
  driver_name: "Juan O'Neil",
  vehicle_number: 'SAB 1',
  bookingDate: Date.UTC(2026, 10, 20, 14, 30),
  paid_at: Date.UTC(2026, 10, 20, 15, 20),
  customer_paid: 122,
  cashPaymentAmount: 100,
  usedWalletMoney: 22,
  cardPaymentAmount: 0,
  fare_history: {
    a: { kind: 'estimate', at: 1, cause: 'booked', lines: [line('fare_base', 90)], total: 90 },
    b: {
      kind: 'final',
      at: 2,
      cause: 'paid_cash',
      lines: [line('fare_base', 132), line('fare_discount', -10)],
      total: 122,
    },
    c: {
      kind: 'refund',
      at: Date.UTC(2026, 10, 21, 9),
      cause: 'refund',
      lines: [line('fare_refund', -5)],
      total: -5,
    },
  },
})
const build = (operator: OperatorDetails = {}, speech = english, changes = {}) =>
  buildReceipt({ ...booking, ...changes }, { settings, operator }, speech)

describe('the receipt of a paid booking', () => {
  it('has the trip, the lines of the final fare, the payments and the operator', () => {
    const { subject, text } = build({ address: 'Rambla 1\nMontevideo', taxNumber: 'RUT 21' })
    expect(subject).toBe('Acme: Receipt for booking K7M-4QX')
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'Reference: K7M-4QX',
        'Pickup time: 20 Nov 2026, 15:00',
        'Pickup: Main St <1>',
        "Driver: Juan O'Neil",
        'Base fare: $U 132.00',
        'Discount: −$U 10.00',
        'Total: $U 122.00',
        'Paid: Wallet · 20 Nov 2026, 14:30: $U 22.00',
        'Paid: Cash · 20 Nov 2026, 15:20: $U 100.00',
        'Refunded to the card · 21 Nov 2026, 09:00: −$U 5.00',
        'Acme Taxis & Sons',
        'Rambla 1',
        'Montevideo',
        'RUT 21',
        'office@acme.example',
      ]),
    )
    expect(text).not.toContain('90.00')
    expect(text).not.toContain('Tax included')
  })

  it('says which stop the driver skipped', () => {
    const waypoints = ['Depot', 'Bank'].map((add) => ({ lat: -34.9, lng: -56.2, add }))
    const entry = { by: 'driver', at: 1, status: 'STARTED', revision: 5 } as const
    const event_log = {
      a: { ...entry, event: 'arrive_stop', ref: '0' },
      b: { ...entry, event: 'skip_stop', ref: '1' },
    }
    expect(build({}, english, { waypoints, event_log }).text.split('\n')).toEqual(
      expect.arrayContaining(['Stop 1: Depot', 'Stop 2: Bank (Skipped)']),
    )
  })

  it('lists compensation and tips below the payments, and not in the total', () => {
    const at = Date.UTC(2026, 10, 22, 9)
    const adjustments = {
      a: { at, reason: 'late', rider: 10, driver: -4 },
      b: { at: at + 1, reason: 'tip', rider: -3, driver: 3 },
    }
    const { text } = build({}, english, { adjustments })
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'Total: $U 122.00',
        'Compensation · Late arrival · 22 Nov 2026, 09:00: −$U 10.00',
        'Tip · 22 Nov 2026, 09:00: $U 3.00',
      ]),
    )
    expect(text).not.toContain('4.00')
  })

  it.each<[string, number, string[], string[]]>([
    ['its fee', 60, ['Cancellation fee: $U 60.00', 'Total: $U 60.00'], ['Base fare']],
    ['nothing without a fee', 0, ['Total: $U 0.00'], ['Base fare', 'Cancellation fee']],
  ])('of a canceled booking charges %s', (_, cancellationFee, lines, missing) => {
    const { text } = build({}, english, { status: 'CANCELLED', cancellationFee })
    expect(text.split('\n')).toEqual(expect.arrayContaining(lines))
    for (const label of missing) expect(text).not.toContain(label)
  })

  it('has a tax line when the operator has a tax', () => {
    expect(build({ taxPercent: 22 }).text).toContain('Tax included (22 %): $U 22.00')
  })

  it('shows a picture of the route in HTML, in both directions, and none without a route', () => {
    const route = encodePolyline([
      { lat: -34.9, lng: -56.2 },
      { lat: -34.91, lng: -56.18 },
      { lat: -34.92, lng: -56.17 },
    ])
    for (const speech of [english, arabic]) {
      const { html, pictures, text } = build({}, speech, { route })
      expect(html).toMatch(/<img\s+src="cid:route\.png"\s+alt="[^"]+"/)
      expect(pictures).toEqual([
        { name: 'route.png', png: expect.stringMatching(/^iVBORw0KGgo/) as string },
      ])
      expect(text).toBe(build({}, speech).text)
    }
    const without = build({}, english, { route: undefined })
    expect(without.html).not.toContain('<img')
    expect(without).not.toHaveProperty('pictures')
  })

  it('escapes every value in HTML', () => {
    const { html } = build({ address: '<b>Rambla</b>' })
    expect(html).toContain('Main St &lt;1&gt;')
    expect(html).toContain('&quot;Port&quot; &amp; sea')
    expect(html).toContain('Juan O&#39;Neil')
    expect(html).toContain('Acme Taxis &amp; Sons')
    expect(html).toContain('&lt;b&gt;Rambla&lt;/b&gt;')
    const hostile = '"><script>alert(1)</script>'
    const fields = [
      'reference',
      'pickupAddress',
      'dropAddress',
      'carType',
      'driver_name',
      'vehicle_number',
    ]
    const all = build(
      { taxNumber: hostile },
      english,
      Object.fromEntries(fields.map((f) => [f, hostile])),
    )
    expect(all.html).not.toContain('<script')
    expect(all.html.split('&quot;&gt;&lt;script&gt;').length - 1).toBeGreaterThanOrEqual(
      fields.length,
    )
  })

  it('runs from right to left in such a language and keeps amounts together', () => {
    const { html, text, subject } = build({ taxPercent: 22 }, arabic)
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(subject).toContain('\u2068K7M-4QX\u2069')
    expect(text).toMatch(/الإجمالي: \u2066\$U .+\u2069/)
    expect(text).toContain('الضريبة المشمولة')
  })
})

it.each([
  [122, 22, 2, 22],
  [100, 0, 2, 0],
  [10, 7.5, 2, 0.7],
  [1000, 10, 0, 91],
])(
  'calculates the tax in %d at %d percent with %d decimals as %d',
  (amount, percent, decimal, tax) => {
    expect(calculateIncludedTax(amount, percent, decimal)).toBe(tax)
  },
)
