import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anOfficeSeed } from '~/src/office/testing/officeFixtures'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'

/** Opens the withdrawals of an admin whose sign-in is old until they prove who they are. */
const openWithdrawals = async () => {
  let isFresh = false
  const app = await renderApp('/withdraws', {
    as: 'admin',
    loginCode: '123456',
    seed: anOfficeSeed({
      more: {
        withdraws: {
          a: { id: 'a', uid: 'driver', name: 'Beto Silva', amount: 50, date: 1, processed: false },
        },
      },
    }),
    handlers: {
      complete_withdraw: () => {
        if (!isFresh) throw new ServiceError('permission-denied', 'fresh_sign_in_needed')
        return {}
      },
    },
  })
  const { auth } = app.backend.services
  const { verifyCode } = auth
  auth.verifyCode = async (...proof) => {
    const person = await verifyCode(...proof)
    isFresh = true
    return person
  }
  await app.user.click(
    await screen.findByRole('button', { name: 'Process the request from Beto Silva' }),
  )
  const question = await screen.findByRole('dialog')
  await app.user.click(within(question).getByRole('button', { name: 'Process' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  const sent = () => app.backend.calls.filter(({ name }) => name === 'complete_withdraw')
  return { ...app, dialog, sent }
}

test('pays out after a code has proved who pays, without a second click', async () => {
  const { user, dialog, sent } = await openWithdrawals()
  await user.click(dialog.getByRole('button', { name: 'Get code' }))
  const code = await screen.findByRole('textbox', { name: 'Six-digit code' })
  await user.type(code, '654321')
  expect(await screen.findByText(/^This code is incorrect/)).toBeInTheDocument()
  expect(sent()).toHaveLength(1)
  await user.clear(code)
  await user.type(code, '123456')
  expect(await screen.findByText('Paid out')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(sent()).toHaveLength(2)
})

test('pays nothing out when the person does not confirm', async () => {
  const { user, dialog, sent } = await openWithdrawals()
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  expect(await screen.findByText(/^Nothing has changed/)).toBeInTheDocument()
  expect(sent()).toHaveLength(1)
})
