import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { aBooking, aRider, aSettings, aVehicleType } from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

const language = (langLocale: string, langName: string, texts: Record<string, string>) => ({
  langName,
  langLocale,
  dateLocale: langLocale,
  default: langLocale === 'en',
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: texts,
})
const seed = JSON.parse(
  JSON.stringify({
    settings: aSettings(),
    languages: {
      en: language('en', 'English', { choose_language: 'Choose a language' }),
      es: language('es', 'Español', { choose_language: 'Elige un idioma' }),
      he: language('he', 'עברית', { choose_language: 'בחירת שפה' }),
    },
  }),
) as Tree

test('loads the names of all languages and the texts of the chosen one', async () => {
  localStorage.clear()
  const { user, backend } = await renderApp('/', { seed })
  const subscriptions = vi.spyOn(backend.services.database, 'subscribe')
  const reads = vi.spyOn(backend.services.database, 'read')
  await user.click(await screen.findByRole('button', { name: 'Choose a language' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByRole('button', { name: 'עברית' })).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'Español' }))
  expect(await screen.findByRole('button', { name: 'Elige un idioma' })).toBeInTheDocument()

  const languageQueries = subscriptions.mock.calls.filter(([{ path }]) =>
    path.startsWith('languages'),
  )
  expect(reads.mock.calls).toEqual([])
  const [names, ...texts] = languageQueries.map(([query]) => query)
  expect(names?.records?.fields).toEqual(expect.arrayContaining(['langName', 'langLocale']))
  expect(names?.records?.fields).not.toContain('keyValuePairs')
  expect(texts.map(({ equalTo, limitToFirst }) => ({ equalTo, limitToFirst }))).toEqual([
    { equalTo: 'es', limitToFirst: 1 },
  ])
})

test('shows vehicle types in the chosen language on the booking form, on bookings and on the receipt', async () => {
  localStorage.clear()
  sessionStorage.clear()
  const named = { carType: 'Van', carTypeId: 'van', customer: 'rita', status: 'COMPLETE' } as const
  const platform = {
    as: 'rita',
    seed: JSON.parse(
      JSON.stringify({
        ...seed,
        cartypes: { van: aVehicleType({ names: { es: 'Furgoneta' } }) },
        users: { rita: aRider({ id: 'rita' }) },
        bookings: {
          b1: aBooking({ id: 'b1', booking_id: 'b1', ...named }),
          b2: aBooking({ id: 'b2', booking_id: 'b2', ...named, carType: 'Truck', carTypeId: 'x' }),
        },
      }),
    ) as Tree,
  }
  const { user, unmount } = await renderApp('/', platform)
  expect(await screen.findByRole('radio', { name: /^Van/ })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Choose a language' }))
  await user.click(
    await within(await screen.findByRole('dialog')).findByRole('button', { name: 'Español' }),
  )
  expect(await screen.findByRole('radio', { name: /^Furgoneta/ })).toBeInTheDocument()
  unmount()
  await renderApp('/bookings?tab=all', platform)
  expect(await screen.findByText('Furgoneta')).toBeInTheDocument()
  // A booking whose vehicle type was deleted keeps the name under which it was booked.
  expect(screen.getByText('Truck')).toBeInTheDocument()
  await user.click(screen.getByText('Furgoneta'))
  const receipt = await waitFor(() => {
    const found = document.querySelector('[data-print]')
    if (!found) throw new Error('The receipt is not there.')
    return found
  })
  expect(receipt).toHaveTextContent('Furgoneta')
  expect(receipt).not.toHaveTextContent('Van')
})
