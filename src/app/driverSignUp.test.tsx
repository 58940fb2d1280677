import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aDriver, aSettings, aVehicleType } from '~/domain/testing/builders'
import * as imageFiles from '~/src/ui/imageFiles'
import { renderApp } from './renderApp'
import type { MemoryBackend, MemoryOptions, Tree } from '~/src/services/memory/backendTypes'

afterEach(() => vi.restoreAllMocks())

/** Opens the sign-up of a driver whose number is verified. */
const open = async (handlers: MemoryOptions['handlers'] = {}) => {
  const app = await renderApp('/signup', {
    handlers,
    seed: JSON.parse(
      JSON.stringify({ settings: aSettings(), cartypes: { van: aVehicleType() } }),
    ) as Tree,
  })
  await app.user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await app.user.click(screen.getByRole('button', { name: 'Get code' }))
  await app.user.click(await screen.findByRole('button', { name: 'Use this code' }))
  await screen.findByLabelText('First name')
  return app
}

test('shows every wrong field of a driver’s sign-up and keeps everything that they typed', async () => {
  const { user, backend } = await open()
  const first = screen.getByLabelText('First name')
  const email = screen.getByLabelText('Email')
  const plate = screen.getByLabelText('License plate')
  await user.type(first, 'Nova')
  await user.type(email, 'nova@')
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
  const last = screen.getByLabelText('Last name')
  await waitFor(() => expect(last).toHaveFocus())
  for (const wrong of [last, email, plate, screen.getByLabelText('Driver’s license')])
    expect(wrong).toBeInvalid()
  expect(screen.getByText('Take a photo first.')).toBeInTheDocument()
  expect(first).toBeValid()
  expect(email).toHaveValue('nova@')
  expect(backend.calls.map(({ name }) => name)).not.toContain('user_signup')
})

const NEW_DRIVER = 'uid-15555550103'
/** Signs up a driver whom the platform approves at once or later. */
const signUp = async (approved: boolean) => {
  // jsdom cannot read pictures.
  vi.spyOn(imageFiles, 'compressToJpeg').mockResolvedValue(new Blob(['picture']))
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL() {} }))
  const app = await open({
    user_signup: (_input: unknown, backend: MemoryBackend) => {
      // The profile reaches the page before the response does.
      const driver = { ...aDriver({ id: NEW_DRIVER, approved }) }
      backend.update({ [`users/${NEW_DRIVER}`]: JSON.parse(JSON.stringify(driver)) as Tree })
      return { success: true, uid: NEW_DRIVER, approved }
    },
  })
  const { user } = app
  for (const [label, text] of [
    ['First name', 'Nova'],
    ['Last name', 'Diaz'],
    ['Email', 'nova@example.com'],
    ['Vehicle make', 'Fiat'],
    ['Vehicle model', 'Uno'],
    ['License plate', 'SBX 1111'],
  ] as const)
    await user.type(screen.getByLabelText(label), text)
  await user.selectOptions(screen.getByLabelText('Vehicle type'), 'van')
  await user.upload(
    screen.getByLabelText('Driver’s license'),
    new File(['picture'], 'license.png', { type: 'image/png' }),
  )
  await screen.findByRole('img', { name: 'Driver’s license' })
  await user.click(screen.getByRole('button', { name: 'Sign up' }))
  return app
}

test('ends a sign-up that needs approval on a page that says so, without a form or a notice', async () => {
  const { backend, store, user } = await signUp(false)
  const title = 'Your request is waiting for approval'
  expect(await screen.findByRole('heading', { level: 1, name: title })).toHaveFocus()
  await waitFor(() => expect(backend.getUid()).toBeNull())
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  expect(store.getState().notices).toEqual([])
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Home' }))
  await user.click(screen.getAllByRole('link', { name: 'Log in or sign up' })[0]!)
  // The page belongs to the sign-up, not to the next visitor of this device.
  expect(await screen.findByLabelText('Mobile number')).toBeInTheDocument()
})

test('ends the sign-up of a driver who needs no approval with the way to their first request', async () => {
  const { store, user } = await signUp(true)
  const title = 'Welcome, you can start'
  expect(await screen.findByRole('heading', { level: 1, name: title })).toHaveFocus()
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  expect(store.getState().notices).toEqual([])
  await user.click(screen.getByRole('link', { name: 'Start driving' }))
  expect(await screen.findByRole('switch')).toBeInTheDocument()
})
