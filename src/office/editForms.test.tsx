import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import {
  aCarType,
  aDriver,
  aLanguage,
  anAdmin,
  anOfficeSeed,
  aPromo,
  delayWrites,
  renderApp,
} from './testing/officeFixtures'

type App = Awaited<ReturnType<typeof renderApp>>
const save = (user: App['user'], within_: HTMLElement = document.body) =>
  user.click(within(within_).getByRole('button', { name: 'Save' }))
const readValue = (field: HTMLElement) => (field as HTMLInputElement).value
/** Returns the error message of a field that is shown as invalid; undefined for any other field. */
const getFieldError = (field: HTMLElement): string | undefined =>
  field.getAttribute('aria-invalid') === 'true'
    ? field
        .getAttribute('aria-describedby')
        ?.split(' ')
        .map((id) => document.getElementById(id))
        .find((text) => text?.getAttribute('role') === 'alert')
        ?.textContent?.trim()
    : undefined

test('the unit of a discount is the currency, or a part of the fare', async () => {
  const { user } = await renderApp('/promos?edit=new', { as: 'admin', seed: anOfficeSeed() })
  const panel = within(await screen.findByRole('dialog', { name: 'Add promo' }))
  const value = panel.getByLabelText('Discount')
  await user.selectOptions(panel.getByLabelText('Discount type'), 'Flat amount')
  expect(value).toHaveAccessibleDescription('$')
  await user.selectOptions(panel.getByLabelText('Discount type'), 'Percentage')
  expect(value).toHaveAccessibleDescription('%')
  expect(panel.getByLabelText('Minimum fare')).toHaveAccessibleDescription('$')
})

describe('a number field', () => {
  const openVan = async () => {
    const app = await renderApp('/cartypes?edit=van', { as: 'admin', seed: anOfficeSeed() })
    const panel = await screen.findByRole('dialog', { name: 'Van' })
    return { ...app, panel, fare: within(panel).getByLabelText('Base fare') }
  }
  const van = ({ backend }: Pick<App, 'backend'>) =>
    (backend.getTree().cartypes as Record<string, Record<string, unknown>>).van

  test('stays empty when cleared, is refused where required, and takes the next number as typed', async () => {
    const { user, panel, fare, backend } = await openVan()
    await user.clear(fare)
    await user.tab()
    expect(readValue(fare)).toBe('')
    await save(user, panel)
    await waitFor(() => expect(getFieldError(fare)).toBe('Please enter a number.'))
    await waitFor(() => expect(fare).toHaveFocus())
    expect(readValue(fare)).toBe('')
    await user.keyboard('60')
    expect(readValue(fare)).toBe('60')
    await save(user, panel)
    await screen.findByText('Saved')
    expect(van({ backend })).toMatchObject({ base_fare: 60 })
  })

  test.each([
    ['-3', 'Please enter a number of 0 or more.'],
    ['abc', 'Please enter a number.'],
    ['12a', 'Please enter a number.'],
    ['+5', 'Please enter a number.'],
    ['1e3', 'Please enter a number.'],
    ['2000000000', 'This number is too large. Please enter a smaller one.'],
  ])('keeps %s as typed, and the form refuses it', async (typed, problem) => {
    const { user, panel, fare, backend } = await openVan()
    await user.clear(fare)
    await user.type(fare, typed)
    await user.tab()
    expect(readValue(fare)).toBe(typed)
    await save(user, panel)
    await waitFor(() => expect(getFieldError(fare)).toBe(problem))
    expect(readValue(fare)).toBe(typed)
    expect(van({ backend })).toMatchObject({ base_fare: 10 })
  })

  test('is saved as empty when it is optional', async () => {
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed({ settings: { dispatchSeconds: 20 } }),
    })
    const seconds = await screen.findByLabelText('Seconds to respond')
    expect(readValue(seconds)).toBe('20')
    await user.clear(seconds)
    await user.tab()
    expect(readValue(seconds)).toBe('')
    await save(user)
    await screen.findByText('Saved')
    expect(backend.getTree().settings).not.toHaveProperty('dispatchSeconds')
    await user.type(seconds, '45')
    await save(user)
    await waitFor(() => expect(backend.getTree().settings).toMatchObject({ dispatchSeconds: 45 }))
  })

  test.each([
    ['broadcast', 'broadcast'],
    ['matched', 'matched'],
    [undefined, 'nearest'],
  ] as const)('offers the dispatch modes for %s', async (dispatchMode, shown) => {
    await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed({ settings: { dispatchMode } }),
    })
    const modes = await screen.findByRole<HTMLSelectElement>('combobox', {
      name: 'Offer bookings to',
    })
    expect([...modes.options].map(({ value }) => value)).toEqual([
      'nearest',
      'matched',
      'broadcast',
    ])
    expect(modes.value).toBe(shown)
  })

  test('saves matched dispatch with a fairness term and removes the term again', async () => {
    const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
    await user.selectOptions(
      await screen.findByRole('combobox', { name: 'Offer bookings to' }),
      'One driver at a time, competing bookings matched together',
    )
    const fairness = screen.getByLabelText('Fairness (seconds)')
    await user.type(fairness, '120')
    await save(user)
    await waitFor(() =>
      expect(backend.getTree().settings).toMatchObject({
        dispatchMode: 'matched',
        fairnessWeight: 120,
      }),
    )
    await user.clear(fairness)
    await save(user)
    await waitFor(() => expect(backend.getTree().settings).not.toHaveProperty('fairnessWeight'))
  })

  test("reads and writes numbers in the format of the user's language", async () => {
    const { user, backend } = await renderApp('/cartypes?edit=van', {
      as: 'admin',
      seed: anOfficeSeed({
        people: [anAdmin({ lang: { langLocale: 'en', dateLocale: 'de' } })],
        cars: [aCarType({ base_fare: 12.5 })],
      }),
    })
    const panel = await screen.findByRole('dialog', { name: 'Van' })
    const fare = within(panel).getByLabelText('Base fare')
    await waitFor(() => expect(readValue(fare)).toBe('12,5'))
    await user.clear(fare)
    await user.type(fare, '1.234,50')
    expect(readValue(fare)).toBe('1.234,50')
    await user.tab()
    // Shown in full, so that users see how we understood it.
    expect(readValue(fare)).toBe('1234,5')
    await save(user, panel)
    await screen.findByText('Saved')
    expect(van({ backend })).toMatchObject({ base_fare: 1234.5 })
  })

  test('starts empty in a new promo and requires a number', async () => {
    const { user } = await renderApp('/promos?edit=new', { as: 'admin', seed: anOfficeSeed() })
    const panel = await screen.findByRole('dialog', { name: 'Add promo' })
    await user.type(within(panel).getByLabelText('Name'), 'SPRING')
    await save(user, panel)
    await waitFor(() =>
      expect(getFieldError(within(panel).getByLabelText('Usage limit'))).toBe(
        'Please enter a number.',
      ),
    )
    expect(getFieldError(within(panel).getByLabelText('Valid until'))).toBe('Please fill this in.')
  })
})

test('keeps what is typed while an earlier value is being saved, as an unsaved change', async () => {
  const { user, backend } = await renderApp('/settings', { as: 'admin', seed: anOfficeSeed() })
  const radius = await screen.findByLabelText('Search radius in km')
  const type = async (text: string) => {
    await user.clear(radius)
    await user.type(radius, text)
  }
  await type('11')
  const answer = delayWrites(backend)
  await save(user)
  await waitFor(() => expect(backend.at('settings/driverRadius')).toBe(11))
  await type('12')
  answer()
  await screen.findByText('Saved')
  await waitFor(() => expect(radius).toHaveValue('12'))
  await user.click(screen.getByRole('button', { name: 'Money' }))
  await user.click(screen.getByRole('link', { name: 'Promos' }))
  const question = await screen.findByRole('dialog', { name: /Leave without saving/ })
  await user.click(within(question).getByRole('button', { name: 'Keep as it is' }))
  await save(user)
  await waitFor(() => expect(backend.at('settings/driverRadius')).toBe(12))
})

test('marks only required fields, including a text for screen readers', async () => {
  await renderApp('/promos?edit=new', { as: 'admin', seed: anOfficeSeed() })
  const panel = await screen.findByRole('dialog', { name: 'Add promo' })
  expect(within(panel).getByText('Fields marked * are required.')).toBeInTheDocument()
  const isMarked = (label: string) => {
    const field = within(panel).getByLabelText(label)
    const mark = within(panel).getByText(label, { selector: 'label' }).parentElement
    expect(mark?.textContent?.endsWith('*')).toBe(field.getAttribute('aria-required') === 'true')
    return field.getAttribute('aria-required') === 'true'
  }
  expect(isMarked('Name')).toBe(true)
  expect(isMarked('Discount')).toBe(true)
  expect(isMarked('Valid until')).toBe(true)
  expect(isMarked('Description')).toBe(false)
})

describe('a record that another person changes while its form is open', () => {
  /** Returns the audit entry of a change that Olga made. */
  const byOlga = (path: string, from: object, to: object) => ({
    'audit/a1': { by: 'olga', at: 1_790_000_000_000, action: 'x_update', path, from, to } as never,
  })
  const olga = anAdmin({ id: 'olga', firstName: 'Olga', lastName: 'Other' })
  const openVan = async () => {
    const app = await renderApp('/cartypes?edit=van', {
      as: 'admin',
      seed: anOfficeSeed({ people: [olga], cars: [aCarType({ base_fare: 55, min_fare: 20 })] }),
    })
    const panel = await screen.findByRole('dialog', { name: 'Van' })
    const type = async (label: string, text: string) => {
      await app.user.clear(within(panel).getByLabelText(label))
      await app.user.type(within(panel).getByLabelText(label), text)
    }
    const stored = () => (app.backend.getTree().cartypes as Record<string, unknown>).van
    return { ...app, panel, type, stored }
  }

  test('shows the new value in an untouched field and does not overwrite it', async () => {
    const { user, backend, panel, type, stored } = await openVan()
    await type('Minimum fare', '30')
    backend.update({
      'cartypes/van/base_fare': 77,
      ...byOlga('cartypes/van', { base_fare: 55 }, { base_fare: 77 }),
    })
    const fare = within(panel).getByLabelText('Base fare')
    await waitFor(() => expect(readValue(fare)).toBe('77'))
    expect(
      await within(panel).findByText('Olga Other changed this from 55 to 77.'),
    ).toBeInTheDocument()
    await save(user, panel)
    await screen.findByText('Saved')
    expect(
      screen.queryByRole('dialog', { name: 'Changed while you were editing' }),
    ).not.toBeInTheDocument()
    expect(stored()).toMatchObject({ base_fare: 77, min_fare: 30 })
  })

  test.each([
    ['Keep my changes', 66],
    ['Use their changes', 77],
  ])('asks before it overwrites a stored value: %s leaves %i', async (choice, left) => {
    const { user, backend, panel, type, stored } = await openVan()
    await type('Base fare', '66')
    await type('Minimum fare', '30')
    backend.update({ 'cartypes/van/base_fare': 77 })
    expect(
      await within(panel).findByText('Someone else changed this from 55 to 77.'),
    ).toBeInTheDocument()
    await save(user, panel)
    const question = await screen.findByRole('dialog', { name: 'Changed while you were editing' })
    expect(question).toHaveTextContent(
      'Someone else changed Base fare from 55 to 77 while you were editing.',
    )
    expect(question).toHaveTextContent('Your value: 66')
    expect(stored()).toMatchObject({ base_fare: 77, min_fare: 20 })
    await user.click(within(question).getByRole('button', { name: choice }))
    await screen.findByText('Saved')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(stored()).toMatchObject({ base_fare: left, min_fare: 30 })
  })

  test('stays unchanged when the question is closed; the field can then take the other value', async () => {
    const { user, backend, panel, type, stored } = await openVan()
    await type('Base fare', '66')
    backend.update({ 'cartypes/van/base_fare': 77 })
    await within(panel).findByText('Someone else changed this from 55 to 77.')
    await save(user, panel)
    const question = await screen.findByRole('dialog', { name: 'Changed while you were editing' })
    await user.click(within(question).getByRole('button', { name: 'Close' }))
    expect(stored()).toMatchObject({ base_fare: 77 })
    expect(readValue(within(panel).getByLabelText('Base fare'))).toBe('66')
    await user.click(within(panel).getByRole('button', { name: 'Use 77' }))
    expect(readValue(within(panel).getByLabelText('Base fare'))).toBe('77')
    await save(user, panel)
    await screen.findByText('Saved')
    expect(stored()).toMatchObject({ base_fare: 77 })
  })

  test('needs no question when both people chose the same value', async () => {
    const { user, backend, panel, type, stored } = await openVan()
    await type('Base fare', '77')
    backend.update({ 'cartypes/van/base_fare': 77 })
    await save(user, panel)
    await screen.findByText('Saved')
    expect(stored()).toMatchObject({ base_fare: 77 })
  })

  test('keeps the rows of a list that is being edited, and asks before they replace the others', async () => {
    const { user, backend, store } = await renderApp('/cartypes?edit=van~cancelSlab', {
      as: 'admin',
      seed: anOfficeSeed({ cars: [aCarType({ cancelSlab: [{ minsDelayed: 2, amount: 5 }] })] }),
    })
    const panel = await screen.findByRole('dialog', { name: 'Van: Cancellation fees' })
    const amount = within(panel).getByLabelText('Amount')
    await user.clear(amount)
    await user.type(amount, '8')
    backend.update({ 'cartypes/van/cancelSlab': [{ minsDelayed: 9, amount: 99 }] })
    await waitFor(() => expect(JSON.stringify(store.getState())).toContain('"amount":99'))
    await save(user, panel)
    const question = await screen.findByRole('dialog', { name: 'Changed while you were editing' })
    expect(question).toHaveTextContent('Van: Cancellation fees')
    expect(question).toHaveTextContent('9 · $99.00')
    expect(question).toHaveTextContent('Your value: 2 · $8.00')
    await user.click(within(question).getByRole('button', { name: 'Keep my changes' }))
    await screen.findByText('Saved')
    expect(backend.getTree().cartypes).toMatchObject({
      van: { cancelSlab: [{ minsDelayed: 2, amount: 8 }] },
    })
  })

  test('shows the change in the settings, without a message about changes saved here', async () => {
    const { user, backend } = await renderApp('/settings', {
      as: 'admin',
      seed: anOfficeSeed({ people: [olga] }),
    })
    const radius = await screen.findByLabelText('Search radius in km')
    await user.clear(radius)
    await user.type(radius, '7')
    await save(user)
    await screen.findByText('Saved')
    expect(screen.queryByText(/changed this/)).not.toBeInTheDocument()
    backend.update({ 'settings/bonus': 12, ...byOlga('settings', { bonus: 10 }, { bonus: 12 }) })
    expect(await screen.findByText('Olga Other changed this from 10 to 12.')).toBeInTheDocument()
    expect(readValue(screen.getByLabelText('Referral bonus'))).toBe('12')
    backend.update({ 'settings/driverRadius': 9 })
    expect(await screen.findByText('Someone else changed this from 7 to 9.')).toBeInTheDocument()
    expect(backend.getTree().settings).toMatchObject({ driverRadius: 9, bonus: 12 })
  })

  test.each([
    [
      'a promo',
      '/promos?edit=spring',
      'SPRING',
      'Minimum fare',
      { 'promos/spring/min_order': 44 },
      '44',
    ],
    [
      'a person',
      '/drivers?edit=driver',
      'Beto Silva',
      'Vehicle no.',
      { 'users/driver/vehicleNumber': 'SBB 2' },
      'SBB 2',
    ],
    [
      'a reason',
      '/cancelreasons?edit=0',
      'Changed my mind',
      'Reason',
      { cancel_reason: [{ label: 'Other plans', value: 0 }] },
      'Other plans',
    ],
    [
      'a language',
      '/languagesetting?edit=de',
      'Deutsch',
      'Date locale',
      { 'languages/de/dateLocale': 'de-AT' },
      'de-AT',
    ],
  ])('asks before it overwrites %s too', async (_, path, title, label, change, theirs) => {
    const { user, backend } = await renderApp(path, {
      as: 'admin',
      seed: anOfficeSeed({
        promos: [aPromo()],
        people: [aDriver({ id: 'driver', fleetadmin: 'fleet' })],
        more: {
          languages: {
            de: { langName: 'Deutsch', langLocale: 'de', dateLocale: 'de', default: false },
          } as never,
        },
      }),
      handlers: { save_user: () => ({}) },
    })
    const panel = await screen.findByRole('dialog', { name: title })
    const field = await within(panel).findByLabelText(label)
    await user.type(field, path.startsWith('/languages') ? '-CH' : '7')
    backend.update(change)
    await within(panel).findByText(/^Someone else changed this from/)
    await save(user, panel)
    const question = await screen.findByRole('dialog', { name: 'Changed while you were editing' })
    expect(question).toHaveTextContent(`Someone else changed ${label} from`)
    await user.click(within(question).getByRole('button', { name: 'Use their changes' }))
    expect(await screen.findByText('Saved')).toBeInTheDocument()
    expect(readValue(field)).toBe(theirs)
  })

  test("merges two edits of a language's texts, and asks about texts that both people changed", async () => {
    const texts = { hello: 'Hallo', bye: 'Tschüss', save: 'Sichern' }
    const { user, backend } = await renderApp('/languagesetting?edit=de~json', {
      as: 'admin',
      seed: anOfficeSeed({ languages: [aLanguage({ keyValuePairs: texts })] }),
    })
    const text = await screen.findByLabelText('Edit JSON')
    const panel = screen.getByRole('dialog', { name: 'Texts of Deutsch' })
    await user.clear(text)
    await user.click(text)
    await user.paste(JSON.stringify({ ...texts, hello: 'Servus' }))
    const theirs = { ...texts, hello: 'Moin', bye: 'Ade' }
    backend.update({ 'languages/de/keyValuePairs': theirs })
    await within(panel).findByText(/Someone else changed texts/)
    const submit = within(panel).getByRole('button', { name: 'Submit' })
    await user.click(submit)
    const question = await screen.findByRole('dialog', { name: 'Changed while you were editing' })
    expect(question).toHaveTextContent(
      'Someone else changed hello from Hallo to Moin while you were editing.',
    )
    await user.click(within(question).getByRole('button', { name: 'Keep my changes' }))
    await screen.findByText('Saved')
    expect(backend.getTree().languages).toMatchObject({
      de: { keyValuePairs: { hello: 'Servus', bye: 'Ade', save: 'Sichern' } },
    })
  })
})
