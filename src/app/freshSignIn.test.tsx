import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anOfficeSeed, aRider } from '~/src/office/testing/officeFixtures'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'

/** Opens a page of an admin whose sign-in is too old for a call until they prove who they are. */
const openWithOldSignIn = async (
  page: string,
  name: string,
  seed: ReturnType<typeof anOfficeSeed>,
) => {
  let isFresh = false
  const app = await renderApp(page, {
    as: 'admin',
    loginCode: '123456',
    seed,
    handlers: {
      [name]: () => {
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
  return { ...app, sent: () => app.backend.calls.filter((call) => call.name === name) }
}

const findQuestion = async () =>
  within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))

/** Opens the withdrawals of an admin who has asked for a payout. */
const openWithdrawals = async () => {
  const withdraws = {
    a: { id: 'a', uid: 'driver', name: 'Beto Silva', amount: 50, date: 1, processed: false },
  }
  const seed = anOfficeSeed({ more: { withdraws } })
  const app = await openWithOldSignIn('/withdraws', 'complete_withdraw', seed)
  await app.user.click(
    await screen.findByRole('button', { name: 'Process the request from Beto Silva' }),
  )
  const question = await screen.findByRole('dialog')
  await app.user.click(within(question).getByRole('button', { name: 'Process' }))
  return { ...app, dialog: await findQuestion() }
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

test('approves a colleague after a code has proved who approves', async () => {
  const olga = aRider({ id: 'olga', usertype: 'admin', firstName: 'Olga', approved: false })
  const seed = anOfficeSeed({ people: [olga] })
  const { user, sent } = await openWithOldSignIn('/alladmin', 'save_user', seed)
  await user.click(await screen.findByRole('button', { name: 'Approve' }))
  const dialog = await findQuestion()
  await user.click(dialog.getByRole('button', { name: 'Get code' }))
  await user.type(await screen.findByRole('textbox', { name: 'Six-digit code' }), '123456')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(sent().map(({ input }) => input)).toEqual(
    Array.from({ length: 2 }, () => ({ id: 'olga', approved: true })),
  )
})
