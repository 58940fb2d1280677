import { expect, it } from 'vitest'
import { aBookingRequest, aSettings, rider } from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { runMaintenance } from '../jobs/maintenance'
import { createProjectPorts, TEST_NOW } from '../../testing/testPorts'

const id = aBookingRequest().booking_id

it.each(['nearest', 'matched', 'broadcast'] as const)(
  'a rider who amends the time again and again rings a driver once a minute in mode %s',
  async (dispatchMode) => {
    const clock = { now: TEST_NOW }
    const ports = createProjectPorts(
      {
        settings: aSettings({ autoDispatch: true, otp_secure: false, dispatchMode }),
        internal: { message_settings: { current: { revision: 1, hourlyLimits: { amend: 100 } } } },
      },
      { clock: { now: () => clock.now, wait: () => Promise.resolve() } },
    )
    const { bookings, db } = ports
    const countTasks = () => {
      const entries = (db.at('inbox/driver') ?? {}) as Record<string, { title: string }>
      return Object.values(entries).filter(({ title }) => title === 'push_task_title').length
    }
    const amendOften = async () => {
      for (let n = 0; n < 25; n++) {
        const tripdate = clock.now + (15 + (n % 2)) * MINUTE_MS
        await bookings.applyEvent(id, { event: 'amend', tripdate }, rider)
      }
    }
    await bookings.applyEvent(id, { event: 'create', input: aBookingRequest() }, rider)
    await bookings.applyEvent(id, { event: 'pay', payment_mode: 'cash' }, rider)
    expect(countTasks()).toBe(1)
    await amendOften()
    expect(countTasks()).toBe(1)
    clock.now += MINUTE_MS
    await runMaintenance(ports, clock.now)
    expect(countTasks()).toBe(2)
    await amendOften()
    expect(countTasks()).toBe(2)
  },
)
