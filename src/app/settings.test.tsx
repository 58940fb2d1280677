import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aVehicleType, aRider, aSettings } from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { MemoryOptions, Tree } from '~/src/services/memory/backendTypes'
import type { Settings } from '~/domain/catalog/types'

const open = (path: string, settings: Partial<Settings>, options: Partial<MemoryOptions> = {}) =>
  renderApp(path, {
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(settings),
        users: { rider: aRider() },
        cartypes: { van: aVehicleType(), bike: aVehicleType({ id: 'bike', name: 'Bike' }) },
      }),
    ) as Tree,
    ...options,
  })
const hrefsIn = (place: HTMLElement) =>
  within(place)
    .queryAllByRole('link')
    .map((link) => link.getAttribute('href') ?? '')
const footer = async () => {
  await screen.findByText(/©/)
  return screen.getByRole('contentinfo')
}

describe('walletMoneyField', () => {
  const TEST = { name: 'test', link: 'https://fn.example/pay_test' }
  const wallet = (walletMoneyField: string) =>
    open(
      '/wallet?tab=topup',
      { walletMoneyField },
      { as: 'rider', handlers: { get_providers: () => [TEST] } },
    )

  test('offers its amounts beside the custom amount, each once and in the currency', async () => {
    const { user } = await wallet('200, 500,abc,1000.50,500')
    const offers = await screen.findByRole('group', { name: 'Suggested amounts' })
    expect(
      within(offers)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['$200.00', '$500.00', '$1,000.50'])
    const offer = within(offers).getByRole('button', { name: '$1,000.50' })
    await user.click(offer)
    expect(offer).toHaveAttribute('aria-pressed', 'true')
    const amount = screen.getByLabelText('Amount')
    expect(amount).toHaveValue('1000.5')
    expect(await screen.findByRole('button', { name: /Top up \$1,000\.50/ })).toBeInTheDocument()
    await user.clear(amount)
    await user.type(amount, '7')
    expect(offer).toHaveAttribute('aria-pressed', 'false')
  })

  test('offers no amounts when it is empty', async () => {
    await wallet('')
    await screen.findByLabelText('Amount')
    expect(screen.queryByRole('group', { name: 'Suggested amounts' })).not.toBeInTheDocument()
  })
})

describe('horizontal_view', () => {
  test.each([
    [true, 'row'],
    [false, 'list'],
  ])('%s shows the vehicle types as a %s, and changes it on an open page', async (on, layout) => {
    const { backend, container } = await open('/', { horizontal_view: on })
    await screen.findByRole('radio', { name: /Bike/ })
    const layoutNow = () => container.querySelector('[data-layout]')?.getAttribute('data-layout')
    expect(layoutNow()).toBe(layout)
    act(() => backend.update({ 'settings/horizontal_view': !on }))
    await waitFor(() => expect(layoutNow()).toBe(on ? 'list' : 'row'))
  })
})

describe('country', () => {
  test.each([
    [{ country: 'Spain', restrictCountry: 'UY' }, 'ES'],
    [{ country: 'Nowhere', restrictCountry: 'UY' }, 'UY'],
    [{ country: 'Nowhere', restrictCountry: '' }, 'US'],
  ])('with %j, phone fields start with the country %s', async (settings, code) => {
    await open('/login', settings)
    const country = await screen.findByRole('combobox', { name: 'Country' })
    await waitFor(() => expect(country).toHaveValue(code))
  })
})

describe('the links of the company', () => {
  const links = {
    FacebookHandle: 'kerbside.example',
    TwitterHandle: '@kerb_side',
    InstagramHandle: 'https://i.example/kerbside',
    CompanyTerms: 'https://kerbside.example/terms',
    CompanyWebsite: 'https://kerbside.example',
  }

  test('appear in the footer with names, and give the opened pages no access to this one', async () => {
    await open('/about-us', links)
    const place = await footer()
    await within(place).findByRole('link', { name: 'Facebook' })
    for (const [name, href] of [
      ['Facebook', 'https://www.facebook.com/kerbside.example'],
      ['Twitter', 'https://x.com/kerb_side'],
      ['Instagram', 'https://i.example/kerbside'],
      ['Terms and conditions', 'https://kerbside.example/terms'],
      ['kerbside.example', 'https://kerbside.example'],
    ] as const) {
      const link = within(place).getByRole('link', { name })
      expect(link).toHaveAttribute('href', href)
      expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'))
    }
  })

  test.each(['/login', '/signup'])('include the terms at %s', async (path) => {
    await open(path, links)
    const main = await screen.findByRole('main')
    const terms = await within(main).findByRole('link', { name: 'Terms and conditions' })
    expect(terms).toHaveAttribute('href', links.CompanyTerms)
  })

  test('never include hostile or placeholder addresses', async () => {
    await open('/about-us', {
      FacebookHandle: 'javascript:alert(1)',
      TwitterHandle: 'data:text/html,x',
      InstagramHandle: '',
      CompanyTerms: 'JaVaScRiPt:alert(1)',
      CompanyWebsite: 'https://example.com',
    })
    const hrefs = hrefsIn(await footer())
    expect(hrefs.filter((href) => !/^\/|^mailto:/.test(href))).toEqual([])
  })
})

describe('settings that cannot be fetched', () => {
  test.each(['/', '/about-us', '/login', '/bookings'])(
    'name the page “Setup”: %s',
    async (path) => {
      const rules = JSON.stringify({
        rules: { languages: { '.read': true, '.indexOn': ['default', 'langLocale'] } },
      })
      await open(path, {}, { rules })
      await waitFor(() => expect(document.title).toBe('Setup'))
    },
  )

  test('do not rename the page once they are there', async () => {
    await open('/about-us', { appName: 'Zippy Cabs' })
    await waitFor(() => expect(document.title).toBe('About us · Zippy Cabs'))
  })
})

describe('appName', () => {
  test('names the home page and its logo', async () => {
    const { container, backend } = await open('/', {
      appName: 'Zippy Cabs',
      CompanyName: 'Zippy Ltd',
      AppleStoreLink: 'https://apps.example/zippy',
    })
    await screen.findByRole('link', { name: 'Zippy Cabs, home' })
    await screen.findByText('Take Zippy Cabs with you')
    await waitFor(() =>
      expect(document.title).toBe('Zippy Cabs: across town at a price you see first'),
    )
    const names = () => [...container.querySelectorAll('svg text')].map((text) => text.textContent)
    expect(new Set(names())).toEqual(new Set(['Zippy Cabs']))
    expect(container).not.toHaveTextContent('Kerbside')
    act(() => backend.update({ 'settings/appName': 'Metropolitan Taxi Company' }))
    await screen.findByRole('link', { name: 'Metropolitan Taxi Company, home' })
    expect(new Set(names())).toEqual(new Set(['Metropolitan', 'Taxi Company']))
  })

  test('names the site in its own description', async () => {
    const { container } = await open('/about-us', { appName: 'Zippy Cabs', CompanyName: 'Zippy' })
    await screen.findByText(/^Zippy Cabs gets you across town/)
    await screen.findByText(/^We built Zippy Cabs/)
    expect(container).not.toHaveTextContent('Kerbside')
    await waitFor(() => expect(document.title).toBe('About us · Zippy Cabs'))
  })

  test('is the default name in texts until the settings are loaded', async () => {
    await renderApp('/about-us')
    expect(document.body).not.toHaveTextContent('{{')
  })
})
