import { describe, expect, it } from 'vitest'
import { aBooking, aDriver, aSettings, MINUTE } from '~/domain/testing/builders'
import { getDueTime } from '~/domain/booking/deadlines'
import { OTHER_LIMITS } from '../services/limitTable'
import { aProject, createMemoryFiles, createProjectPorts } from '../testing/testPorts'
import { driverAvailable, endOfShift, onFileUploaded } from './triggers'

/** The triggers read the real clock. */
const NOW = Date.now()
const event = <Run extends { run: (event: never) => unknown }>(
  _: Run,
  given: object,
): Parameters<Run['run']>[0] =>
  ({ id: 'e1', time: new Date().toISOString(), ...given }) as unknown as Parameters<Run['run']>[0]

/** Returns counters at the limit of a minute, in this minute and the next. */
const usedUp = ({ name, limit }: { name: string; limit: number }, uid: string) => {
  const minute = Math.floor(Date.now() / MINUTE)
  return { [name]: { [uid]: { [minute]: limit, [minute + 1]: limit } } }
}

const MODES = ['nearest', 'matched'] as const

/** Creates ports with a waiting booking, and counts the requests for times on the streets. */
const aWaitingBooking = (
  dispatchMode: (typeof MODES)[number],
  { rate_limits = {}, requested = '' }: { rate_limits?: object; requested?: string } = {},
) => {
  const settings = aSettings({ autoDispatch: true, dispatchMode })
  const requestedDrivers = requested
    ? { requestedDrivers: { [requested]: true as const }, askedDrivers: { [requested]: NOW } }
    : {}
  const times = { bookingDate: NOW, tripdate: NOW }
  const booking = aBooking({ status: 'NEW', ...times, ...requestedDrivers })
  const due_at = getDueTime(booking, settings, NOW, 'event')
  const { id } = booking
  const offDuty = { [requested]: aDriver({ id: requested, driverActiveStatus: false }) }
  const project = {
    settings,
    rate_limits,
    users: { ...aProject().users, ...(requested && offDuty) },
    bookings: { [id]: { ...booking, ...(due_at !== null && { due_at }) } },
    ...(requested && { driver_tasks: { [requested]: { [id]: true } } }),
  }
  const clock = { now: () => NOW, wait: () => Promise.resolve() }
  const ports = createProjectPorts(project, { clock })
  let matrixCount = 0
  const maps: typeof ports.maps = async () => {
    const service = await ports.maps()
    const getDistanceMatrix: typeof service.getDistanceMatrix = (...query) => {
      matrixCount += 1
      return service.getDistanceMatrix(...query)
    }
    return { ...service, getDistanceMatrix }
  }
  const hasOffer = (driver: string) => ports.db.at(`driver_tasks/${driver}/${id}`) === true
  return { given: { ...ports, maps }, id, hasOffer, getMatrixCount: () => matrixCount }
}

describe.each(MODES)('a driver who comes on duty, in mode %s', (mode) => {
  const comeOnDuty = async (rate_limits = {}) => {
    const { given, hasOffer, getMatrixCount } = aWaitingBooking(mode, { rate_limits })
    const trigger = driverAvailable(given)
    await trigger.run(event(trigger, { params: { id: 'driver' } }))
    return { isOffered: hasOffer('driver'), matrixCount: getMatrixCount() }
  }

  it('is offered a waiting booking by the time on the streets within the limit', async () => {
    expect(await comeOnDuty()).toEqual({ isOffered: true, matrixCount: 1 })
  })

  it('is offered it by distance above the limit', async () => {
    const limits = usedUp(OTHER_LIMITS.driverAvailable, 'driver')
    expect(await comeOnDuty(limits)).toEqual({ isOffered: true, matrixCount: 0 })
  })
})

describe.each(MODES)('a driver who goes off duty, in mode %s', (mode) => {
  const goOffDuty = async (rate_limits = {}) => {
    const one = aWaitingBooking(mode, { rate_limits, requested: 'first' })
    const trigger = endOfShift(one.given)
    const [before, after] = [{ val: () => true }, { val: () => false }]
    await trigger.run(event(trigger, { params: { id: 'first' }, data: { before, after } }))
    const offered = ['first', 'driver'].filter(one.hasOffer)
    return { offered, matrixCount: one.getMatrixCount() }
  }

  it('leaves their booking to the next by the time on the streets within the limit', async () => {
    expect(await goOffDuty()).toEqual({ offered: ['driver'], matrixCount: 1 })
  })

  it('leaves it to the next by distance above the limit', async () => {
    const limits = usedUp(OTHER_LIMITS.endOfShift, 'first')
    expect(await goOffDuty(limits)).toEqual({ offered: ['driver'], matrixCount: 0 })
  })
})

describe('an upload', () => {
  const names = Array.from({ length: 301 }, (_, i) => `users/rider/profile_image/${1000 + i}`)
  const last = names[300] ?? ''
  const upload = async (rate_limits: object = {}) => {
    const files = createMemoryFiles(Object.fromEntries(names.map((name, i) => [name, NOW + i])))
    let lists = 0
    const listPage: typeof files.listPage = (...query) => {
      lists += 1
      return files.listPage(...query)
    }
    const given = createProjectPorts({ rate_limits }, { files: { ...files, listPage } })
    const trigger = onFileUploaded(given, 'bucket')
    const timeCreated = new Date(NOW + 300).toISOString()
    await trigger.run(event(trigger, { data: { name: last, size: '1000', timeCreated } }))
    return { lists, isKept: files.names().includes(last) }
  }

  it('over the quota is removed at once within the limit of checks', async () => {
    expect(await upload()).toEqual({ lists: 1, isKept: false })
  })

  it('lists no files above the limit of checks', async () => {
    const limits = usedUp(OTHER_LIMITS.uploadChecks, 'rider')
    expect(await upload(limits)).toEqual({ lists: 0, isKept: true })
  })
})
