import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aDriver, anOffice, renderApp } from '../testing'

test('what was changed of one person is not told of another whose id begins alike', async () => {
  const edit = { by: 'admin', at: 1, action: 'user_edit' }
  await renderApp('/drivers?edit=driver', {
    as: 'admin',
    seed: anOffice({
      people: [aDriver({ id: 'driver-2' })],
      more: {
        audit: {
          a: { ...edit, path: 'users/driver', to: { approved: true } },
          b: { ...edit, path: 'users/driver-2', to: { vehicleNumber: 'SBB 2' } },
        },
      },
    }),
  })
  const panel = await screen.findByRole('dialog', { name: 'Beto Silva' })
  expect(await within(panel).findByText('approved:')).toBeTruthy()
  expect(within(panel).queryByText('vehicleNumber:')).toBeNull()
})
