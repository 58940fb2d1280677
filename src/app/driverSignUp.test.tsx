import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aSettings, aVehicleType } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/memoryBackend'
import { renderApp } from './renderApp'

/** Opens the sign-up of a driver whose number is verified. */
const open = async () => {
  const app = await renderApp('/signup', {
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
