import { expect, test } from 'vitest'
import { aSettings, aVehicleType, ROUTE } from '~/domain/testing/builders'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from '~/src/store/makeStore'
import { placesCleared, pointSelected, selectBookingPlaces } from './bookingPlaces/bookingPlaces'
import { estimateCleared, getEstimate } from './estimates/estimates'
import { sendNotification } from './notifications/notifications'

// No page uses these operations (ADR 028).

const aRequest = (route: typeof ROUTE | null) => ({
  route: route && { ...route, approximate: false },
  carType: aVehicleType(),
  settings: aSettings(),
})

test('an estimate is stored until it is cleared, and refused without a route', async () => {
  const store = makeStore(makeMemoryBackend().services)
  const getState = () => store.getState().estimatedata
  await store.dispatch(getEstimate(aRequest(ROUTE)))
  expect(getState()).toMatchObject({ estimate: { total: expect.any(Number) } })
  store.dispatch(estimateCleared())
  expect(getState()).toMatchObject({ estimate: null })
  await store.dispatch(getEstimate(aRequest(null)))
  expect(getState()).toMatchObject({ error: { flag: true, msg: 'no_route_found' } })
})

test('the selected end of a booking is the pickup again after the places are cleared', () => {
  const store = makeStore(makeMemoryBackend().services)
  const getSelected = () => selectBookingPlaces(store.getState()).selected
  expect(getSelected()).toBe('pickup')
  store.dispatch(pointSelected('drop'))
  expect(getSelected()).toBe('drop')
  store.dispatch(placesCleared())
  expect(getSelected()).toBe('pickup')
})

test('a notification is posted as it is', async () => {
  const push = { token: 'device', title: 'Title', msg: 'Text' }
  const { services, calls } = makeMemoryBackend({ handlers: { send_notification: () => ({}) } })
  await makeStore(services).dispatch(sendNotification(push))
  expect(calls).toEqual([{ name: 'send_notification', input: push }])
})
