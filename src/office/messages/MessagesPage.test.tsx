import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { SaveMessageSettingsInput } from '~/domain/api/inputs/messages'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import { aBooking } from '~/domain/testing/builders'
import type { Settings } from '~/domain/catalog/types'
import { ServiceError } from '~/src/services/services'
import { aLanguage, anOfficeSeed, renderApp } from '../testing/officeFixtures'

const openSettings = (
  settings: Partial<MessageSettings> = {},
  { fail, appcat = 'delivery' }: { fail?: ServiceError; appcat?: Settings['appcat'] } = {},
) =>
  renderApp('/messages', {
    as: 'admin',
    seed: anOfficeSeed({ settings: { appcat } }),
    handlers: {
      message_settings: () => ({
        settings: { revision: 4, ...settings },
        month: '2026-11',
        total: { micros: 12_500_000, sms: 200, email: 40, revision: 240 },
      }),
      save_message_settings: () => {
        if (fail) throw fail
        return { revision: 5 }
      },
    },
  })
const press = async (user: Awaited<ReturnType<typeof openSettings>>['user'], name: string) =>
  user.click(await screen.findByRole('button', { name }))

describe('the settings of messages', () => {
  test('show the costs of the month and that the budget is used up', async () => {
    await openSettings({ budget: 12 })
    const section = (await screen.findByText('Messages of November 2026')).closest(
      'fieldset, section',
    )
    expect(section?.textContent).toContain('$12.50')
    expect(section?.textContent).toContain('200')
    expect(screen.getByText(/The budget of this month is used up/)).toBeTruthy()
  })

  test('save the operator, quiet hours, prices and switches with the revision seen', async () => {
    const { user, backend } = await openSettings()
    await user.type(await screen.findByLabelText('Legal name'), 'Acme Taxis Ltd')
    await user.type(screen.getByLabelText('Postal address'), 'Rambla 1')
    await user.type(screen.getByLabelText('Start of the quiet hours'), '22:00')
    await user.type(screen.getByLabelText('End of the quiet hours'), '07:30')
    await user.type(screen.getByLabelText('Price of an SMS part'), '0.0079')
    const [forRider] = screen.getAllByRole('switch', { name: /^Driver on the way.*Rider · SMS/ })
    await user.click(forRider as HTMLElement)
    await press(user, 'Save')
    expect(await screen.findByText('Saved')).toBeTruthy()
    const saved = backend.calls.find(({ name }) => name === 'save_message_settings')?.input
    const { settings, revision } = saved as SaveMessageSettingsInput
    expect(revision).toBe(4)
    expect(settings).toMatchObject({
      operatorName: 'Acme Taxis Ltd',
      address: 'Rambla 1',
      quietStart: '22:00',
      quietEnd: '07:30',
      price: { sms: 0.0079, email: null },
    })
    expect(settings.on['accepted-rider-sms']).toBe(false)
    expect(settings.on['accepted-guest-sms']).toBe(true)
  })

  test.each([
    ['Start of the quiet hours', '22:00', 'End of the quiet hours', 'Please fill this in.'],
    ['Refused email domains', 'ana@trash.example', 'Refused email domains', /Please enter domains/],
    ['Tax included in prices (%)', '130', 'Tax included in prices (%)', /percent|100/],
  ])('with a wrong value of %s are refused at the field', async (label, typed, wrong, text) => {
    const { user, backend } = await openSettings()
    await user.type(await screen.findByLabelText(label), typed)
    await press(user, 'Save')
    await waitFor(() => expect(screen.getByLabelText(wrong)).toBeInvalid())
    expect(screen.getByLabelText(wrong)).toHaveAccessibleDescription(text)
    expect(backend.calls.map(({ name }) => name)).not.toContain('save_message_settings')
  })

  test('of a taxi company list no parcels, and keep their switches when saved', async () => {
    const parcelSwitch = 'parcel_sent-recipient-sms'
    const { user, backend } = await openSettings(
      { off: { [parcelSwitch]: true } },
      { appcat: 'taxi' },
    )
    await user.type(await screen.findByLabelText('Legal name'), 'Acme Taxis Ltd')
    expect(screen.queryByRole('switch', { name: /parcel|delivery/i })).not.toBeInTheDocument()
    await press(user, 'Save')
    expect(await screen.findByText('Saved')).toBeTruthy()
    const saved = backend.calls.find(({ name }) => name === 'save_message_settings')?.input
    const { on } = (saved as SaveMessageSettingsInput).settings
    expect(on).toMatchObject({ [parcelSwitch]: false, 'parcel_cancelled-recipient-sms': true })
  })

  test('report that another admin saved first', async () => {
    const refused = new ServiceError('failed-precondition', 'changed_meanwhile')
    const { user } = await openSettings({}, { fail: refused })
    await user.type(await screen.findByLabelText('Legal name'), 'Acme')
    await press(user, 'Save')
    expect((await screen.findByRole('alert')).textContent).toMatch(/at the same time/)
  })

  test('can be loaded again after a failure', async () => {
    let isDown = true
    const { user } = await renderApp('/messages', {
      as: 'admin',
      seed: anOfficeSeed(),
      handlers: {
        message_settings: () => {
          if (isDown) throw new ServiceError('unavailable', 'call_failed')
          return { settings: { revision: 0 }, month: '2026-11', total: { revision: 0 } }
        },
      },
    })
    const again = await screen.findByRole('button', { name: 'Try again' })
    isDown = false
    await user.click(again)
    expect(await screen.findByLabelText('Legal name')).toBeTruthy()
  })
})

describe('the texts of messages', () => {
  const languages = [
    aLanguage({ id: 'en', langName: 'English', langLocale: 'en', default: true }),
    aLanguage({
      keyValuePairs: {
        push_accepted_title: 'Fahrer unterwegs',
        push_accepted_msg: '{{driver}} kommt mit {{vehicle}}.',
      },
    }),
  ]
  const openTexts = (query = '&event=accepted&language=de') =>
    renderApp(`/messages?part=texts${query}`, { as: 'admin', seed: anOfficeSeed({ languages }) })

  test('show a preview of each channel with example values and the parts of the SMS', async () => {
    const { user } = await openTexts()
    const preview = await screen.findByRole('region', { name: 'Preview' })
    expect(within(preview).getByText('Juan kommt mit SAB 1234.')).toBeTruthy()
    expect(
      within(preview).getByText(/^.+: Fahrer unterwegs\. Juan kommt mit SAB 1234\. .*http/),
    ).toBeTruthy()
    expect(within(preview).getByRole('status').textContent).toMatch(/^GSM-7, .*parts: 1$/)
    await user.type(screen.getByLabelText('Title'), ' 🚕')
    await waitFor(() =>
      expect(within(preview).getByRole('status').textContent).toMatch(/^UCS-2, .*parts: 2$/),
    )
  })

  test('are saved for the chosen language only', async () => {
    const { user, backend } = await openTexts()
    const title = await screen.findByLabelText('Title')
    await user.clear(title)
    await user.type(title, 'Ihr Taxi kommt')
    await press(user, 'Save')
    await waitFor(() =>
      expect(backend.getTree()).toMatchObject({
        languages: {
          de: { keyValuePairs: { push_accepted_title: 'Ihr Taxi kommt' } },
          en: { langName: 'English' },
        },
      }),
    )
  })

  test('with an unknown variable are refused at their field', async () => {
    const { user, backend } = await openTexts()
    const before = backend.getTree().languages
    const body = await screen.findByLabelText('Message')
    await user.type(body, ' {{{{amount}}')
    expect(
      await screen.findByText('This message has no {{amount}}. Use {{driver}} {{vehicle}}.'),
    ).toBeTruthy()
    expect(body).toHaveProperty('ariaInvalid', 'true')
    await press(user, 'Save')
    expect(backend.getTree().languages).toEqual(before)
  })

  test('start from the shipped text when the language has none', async () => {
    await openTexts('&event=arrived&language=de')
    expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Ihr Fahrer ist da')
  })

  test('ask before unsaved changes are left for another message', async () => {
    const { user } = await openTexts()
    await user.type(await screen.findByLabelText('Title'), '!')
    await user.selectOptions(screen.getByLabelText('Event'), 'arrived')
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })
})

test('the booking page shows which messages left the platform, without whole numbers', async () => {
  const row = { event: 'accepted', audience: 'guest', channel: 'sms', at: 1_763_650_800_000 }
  const { user, backend } = await renderApp('/bookings/b1', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id: 'b1' })] }),
    handlers: {
      booking_messages: (input: never) =>
        (input as { cursor?: string }).cursor === undefined
          ? {
              rows: [
                { id: 'a', ...row, state: 'sent', to: '…99', price: 0.05 },
                { id: 'b', ...row, state: 'skipped', why: 'opted_out' },
              ],
              next: 'b',
            }
          : { rows: [{ id: 'c', ...row, state: 'rejected', why: 'twilio_21211' }], next: null },
    },
  })
  expect(await screen.findByText('…99')).toBeTruthy()
  expect(screen.getByText('Not sent: The person answered STOP')).toBeTruthy()
  await press(user, 'Show more messages')
  expect(await screen.findByText('Rejected by the service: twilio_21211')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more messages' })).toBeNull()
  const asked = backend.calls.filter(({ name }) => name === 'booking_messages')
  expect(asked.map(({ input }) => input)).toEqual([
    { booking_id: 'b1' },
    { booking_id: 'b1', cursor: 'b' },
  ])
})
