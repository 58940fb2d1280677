import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aRider, aSettings } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

const language = (langLocale: string, langName: string, isDefault: boolean) => ({
  langName,
  langLocale,
  dateLocale: langLocale,
  default: isDefault,
  createdAt: 1,
  keyValuePairs: {},
})
const open = () =>
  renderApp('/profile', {
    as: 'rita',
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(),
        languages: { en: language('en', 'English', true), es: language('es', 'Español', false) },
        users: {
          rita: aRider({
            id: 'rita',
            savedAddresses: {
              a: { description: 'Plaza Matriz', lat: -34.9, lng: -56.2, count: 1 },
              b: { description: 'Tres Cruces', lat: -34.89, lng: -56.16, count: 4 },
            },
          }),
        },
      }),
    ) as Tree,
  })

test('name and language are saved with the profile; a wrong address is refused at its field', async () => {
  const { user, world } = await open()
  const email = await screen.findByLabelText('Email')
  await user.clear(screen.getByLabelText('First name'))
  await user.type(screen.getByLabelText('First name'), 'Renata')
  await user.clear(email)
  await user.type(email, 'renata@')
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'es')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(email.getAttribute('aria-invalid')).toBe('true'))
  expect(world.tree()).not.toHaveProperty('users.rita.firstName', 'Renata')
  await user.type(email, 'example.com')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(world.tree()).toMatchObject({
      users: {
        rita: {
          firstName: 'Renata',
          email: 'renata@example.com',
          lang: { langLocale: 'es', dateLocale: 'es' },
        },
      },
    }),
  )
  await waitFor(() => expect(document.documentElement.lang).toBe('es'))
})

test('a place one was taken to often comes first, and is a destination with one tap', async () => {
  const { user } = await open()
  const places = (await screen.findByRole('heading', { name: 'Saved places' })).closest('section')
  const rows = within(places as HTMLElement).getAllByRole('listitem')
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining('Tres Cruces'),
    expect.stringContaining('Plaza Matriz'),
  ])
  await user.click(within(rows[0] as HTMLElement).getByRole('button', { name: 'Book to here' }))
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Drop-off' })).toHaveProperty(
      'value',
      'Tres Cruces',
    ),
  )
})

test('notifications are asked for when they are wanted, and can be switched off again', async () => {
  const asked = vi.fn(async () => (device.permission = 'granted'))
  const device = { permission: 'default', requestPermission: asked }
  vi.stubGlobal('Notification', device)
  const { user } = await open()
  expect(asked).not.toHaveBeenCalled()
  await user.click(await screen.findByRole('button', { name: 'Switch on notifications' }))
  await screen.findByText('This device tells you what happens to your bookings.')
  expect(asked).toHaveBeenCalledTimes(1)
  await user.click(screen.getByRole('button', { name: 'Switch off' }))
  await screen.findByRole('button', { name: 'Switch on notifications' })
})

test('a browser that blocks notifications is named as the reason', async () => {
  vi.stubGlobal('Notification', { permission: 'denied' })
  await open()
  await screen.findByText(/^This browser blocks notifications/)
  expect(screen.queryByRole('button', { name: 'Switch on notifications' })).toBeNull()
})
