import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ServiceError } from '~/src/services/services'
import { renderDriverApp } from '../testing/renderDriverApp'

const noApprovalSettings = { driver_approval: false }

test('lets a driver enter their vehicle, but not its type, which the back office sets', async () => {
  const app = await renderDriverApp({ path: '/vehicle', settings: noApprovalSettings })
  const plate = await screen.findByRole('textbox', { name: 'License plate' })
  expect(plate).toHaveValue('SBA 1234')
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Vehicle type' })).toMatchObject({
      value: 'Van',
      readOnly: true,
    }),
  )
  await app.user.clear(plate)
  await app.user.type(plate, ' SBB 777 ')
  await app.user.type(screen.getByRole('textbox', { name: 'Make' }), 'Fiat')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(app.backend.at('users/driver')).toMatchObject({
    vehicleNumber: 'SBB 777',
    vehicleMake: 'Fiat',
    carType: 'van',
  })
})

test('replaces an expired license with a new file', async () => {
  const old = 'https://files.example/users/driver/licenseImage/old'
  const app = await renderDriverApp({
    path: '/vehicle',
    settings: noApprovalSettings,
    driver: { licenseImage: old },
  })
  expect(await screen.findByRole('img', { name: 'Driver’s license' })).toHaveAttribute('src', old)
  const picture = new File(['picture'], 'licence.jpg', { type: 'image/jpeg' })
  await app.user.upload(screen.getByLabelText('Replace license'), picture)
  await waitFor(() =>
    expect(app.backend.at('users/driver/licenseImage')).toMatch(
      /users\/driver\/licenseImage\/\w+$/,
    ),
  )
})

test('leads a driver without a plate from the console to the vehicle page', async () => {
  const app = await renderDriverApp({ driver: { driverActiveStatus: false, vehicleNumber: '' } })
  const links = await screen.findAllByRole('link', { name: 'Vehicle and license' })
  await app.user.click(links.at(-1)!)
  await screen.findByRole('heading', { name: 'Vehicle and license' })
})

test('warns an approved driver before a new plate requires approval again', async () => {
  const app = await renderDriverApp({ path: '/vehicle', settings: { driver_approval: true } })
  const plate = await screen.findByRole('textbox', { name: 'License plate' })
  await app.user.clear(plate)
  await app.user.type(plate, 'SBB 777')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  const warning = await screen.findByRole('dialog', { name: 'Save and wait for approval?' })
  expect(warning).toHaveTextContent('cannot log in until the office has reviewed')
  await app.user.click(within(warning).getByRole('button', { name: 'Keep as it is' }))
  expect(app.backend.calls.map(({ name }) => name)).not.toContain('save_user')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  await app.user.click(await screen.findByRole('button', { name: 'Save and wait' }))
  await screen.findByText(/waiting for approval/)
  expect(app.backend.getUid()).toBeNull()
  expect(app.backend.at('users/driver')).toMatchObject({
    vehicleNumber: 'SBB 777',
    approved: false,
  })
})

test('shows no question when an unchanged vehicle is saved', async () => {
  const app = await renderDriverApp({ path: '/vehicle', settings: { driver_approval: true } })
  await screen.findByRole('textbox', { name: 'License plate' })
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(app.backend.at('users/driver/approved')).toBe(true)
})

test('asks before saving a license that requires approval, and lets the driver cancel', async () => {
  const app = await renderDriverApp({ path: '/vehicle', settings: { driver_approval: true } })
  const picture = new File(['picture'], 'licence.jpg', { type: 'image/jpeg' })
  await app.user.upload(await screen.findByLabelText('Add your license'), picture)
  const warning = await screen.findByRole('dialog', { name: 'Save and wait for approval?' })
  await app.user.click(within(warning).getByRole('button', { name: 'Keep as it is' }))
  expect(app.backend.at('users/driver/licenseImage')).toBeNull()
  await app.user.upload(screen.getByLabelText('Add your license'), picture)
  await app.user.click(await screen.findByRole('button', { name: 'Save and wait' }))
  await waitFor(() => expect(app.backend.getUid()).toBeNull())
  expect(app.backend.at('users/driver/licenseImage')).toMatch(/licenseImage/)
})

test('refuses a change during a booking with the reason', async () => {
  const app = await renderDriverApp({
    path: '/vehicle',
    settings: noApprovalSettings,
    handlers: {
      save_user: () => {
        throw new ServiceError('failed-precondition', 'busy_with_booking')
      },
    },
  })
  await app.user.type(await screen.findByRole('textbox', { name: 'Make' }), 'Fiat')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('You have a booking in progress')
})

test('shows at its field which signs a plate has, and sends nothing', async () => {
  const app = await renderDriverApp({ path: '/vehicle', settings: noApprovalSettings })
  const plate = await screen.findByRole('textbox', { name: 'License plate' })
  await app.user.clear(plate)
  await app.user.type(plate, 'Win $100')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(plate).toBeInvalid())
  expect(plate).toHaveAccessibleDescription(
    'A license plate has only letters, digits, spaces, dots and hyphens.',
  )
  expect(app.backend.at('users/driver/vehicleNumber')).toBe('SBA 1234')
})

test('shows a refused plate at its field and keeps everything that the driver typed', async () => {
  const app = await renderDriverApp({
    path: '/vehicle',
    settings: noApprovalSettings,
    handlers: {
      save_user: () => {
        throw new ServiceError('invalid-argument', 'bad_input', 'bad_input', {
          field: 'vehicleNumber',
        })
      },
    },
  })
  const make = await screen.findByRole('textbox', { name: 'Make' })
  const plate = screen.getByRole('textbox', { name: 'License plate' })
  await app.user.type(make, 'Fiat')
  await app.user.type(plate, ' X')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(plate).toHaveFocus())
  expect(plate).toBeInvalid()
  expect(plate).toHaveValue('SBA 1234 X')
  expect(make).toBeValid()
  expect(make).toHaveValue('Fiat')
})
