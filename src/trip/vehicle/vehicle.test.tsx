import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { read } from '~/src/services/memory/tree'
import { onTheRoad } from '../testing/road'

test('a driver writes down what he drives; its class is the office’s', async () => {
  const app = await onTheRoad({ path: '/vehicle' })
  const plate = await screen.findByRole('textbox', { name: 'Number plate' })
  expect(plate).toHaveProperty('value', 'SBA 1234')
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Class' })).toMatchObject({
      value: 'Van',
      readOnly: true,
    }),
  )
  await app.user.clear(plate)
  await app.user.type(plate, ' SBB 777 ')
  await app.user.type(screen.getByRole('textbox', { name: 'Make' }), 'Fiat')
  await app.user.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByText('Saved')
  expect(read(app.world.tree(), 'users/driver')).toMatchObject({
    vehicleNumber: 'SBB 777',
    vehicleMake: 'Fiat',
    carType: 'van',
  })
})

test('a licence that expired is replaced by a file of its own', async () => {
  const old = 'https://files.example/users/driver/licenseImage/old'
  const app = await onTheRoad({ path: '/vehicle', driver: { licenseImage: old } })
  expect((await screen.findByRole('img', { name: 'Driving licence' })).getAttribute('src')).toBe(
    old,
  )
  const picture = new File(['picture'], 'licence.jpg', { type: 'image/jpeg' })
  await app.user.upload(screen.getByLabelText('Replace the licence'), picture)
  await waitFor(() =>
    expect(read(app.world.tree(), 'users/driver/licenseImage')).toMatch(
      /users\/driver\/licenseImage\/\w+$/,
    ),
  )
})

test('a driver without a plate is led there from the console', async () => {
  const app = await onTheRoad({ driver: { driverActiveStatus: false, vehicleNumber: '' } })
  const links = await screen.findAllByRole('link', { name: 'Vehicle and licence' })
  await app.user.click(links.at(-1)!)
  await screen.findByRole('heading', { name: 'Vehicle and licence' })
})
